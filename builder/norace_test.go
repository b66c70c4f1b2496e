//go:build !race

package builder

// testCells is the largest board of which every game is compared with a plain search.
const testCells = 12
