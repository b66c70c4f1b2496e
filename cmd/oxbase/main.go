package main

import (
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/pressly/goose/v3"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "github.com/vbauerster/mpb/v8"
	_ "modernc.org/sqlite"
)

func main() {}
