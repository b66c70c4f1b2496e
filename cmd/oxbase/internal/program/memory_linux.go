package program

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

const maxrssUnit = 1 << 10 // bytes

// memory returns the physical memory of the largest process of the program, in bytes. A process
// that can't be looked at has ended.
func (g *group) memory() uint64 { return memoryOf(g.cmd.Process.Pid) }

func memoryOf(pid int) uint64 {
	var largest uint64
	if sizes, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid)); err == nil {
		if fields := bytes.Fields(sizes); len(fields) > 1 {
			pages, _ := strconv.ParseUint(string(fields[1]), 10, 64)
			largest = pages * uint64(os.Getpagesize())
		}
	}
	for _, child := range childrenOf(strconv.Itoa(pid)) {
		largest = max(largest, memoryOf(child))
	}
	return largest
}
