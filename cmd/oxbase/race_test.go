//go:build race

package main

// positionStride leaves positions out under the race detector, which looks at how goroutines
// share memory and not at what they compute, and slows the comparison down twenty times.
const positionStride = 16
