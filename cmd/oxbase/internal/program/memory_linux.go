package program

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const maxrssUnit = 1 << 10 // bytes

// memory returns the physical memory of the largest process of the program, in bytes. A process
// that can't be looked at has ended.
func (g *group) memory() uint64 { return memoryOf(g.cmd.Process.Pid) }

func memoryOf(pid int) uint64 {
	var largest uint64
	folder := fmt.Sprintf("/proc/%d", pid)
	if sizes, err := os.ReadFile(folder + "/statm"); err == nil {
		if fields := bytes.Fields(sizes); len(fields) > 1 {
			pages, _ := strconv.ParseUint(string(fields[1]), 10, 64)
			largest = pages * uint64(os.Getpagesize())
		}
	}
	threads, _ := filepath.Glob(folder + "/task/*/children")
	for _, thread := range threads {
		children, _ := os.ReadFile(thread)
		for word := range strings.FieldsSeq(string(children)) {
			if child, err := strconv.Atoi(word); err == nil {
				largest = max(largest, memoryOf(child))
			}
		}
	}
	return largest
}
