//go:build !windows

package main

import "syscall"

// addressInUse is the error of listening under an address where another program listens.
const addressInUse = syscall.EADDRINUSE
