//go:build race

package builder

// testCells is smaller under the race detector, which looks at how goroutines share memory and
// not at what they compute, and slows the comparison down twenty times.
const testCells = 6
