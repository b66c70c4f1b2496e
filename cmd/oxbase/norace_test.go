//go:build !race

package main

// positionStride says that each position is compared with a plain search.
const positionStride = 1
