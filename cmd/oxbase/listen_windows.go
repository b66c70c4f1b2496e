package main

import "golang.org/x/sys/windows"

// addressInUse is the error of listening under an address where another program listens.
const addressInUse = windows.WSAEADDRINUSE
