package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// newDocs returns the command for those who pack releases. It isn't in the help.
func newDocs() *cobra.Command {
	return &cobra.Command{
		Use:   "docs DIR",
		Short: "Write manual pages and shell completions",
		Long: `Write a manual page of each command into DIR/man1, and completions for bash, zsh and
fish into DIR/completions. The same program writes the same bytes.`,
		Example:     `  oxbase docs build && man build/man1/oxbase.1`,
		Args:        usage(cobra.ExactArgs(1)),
		Annotations: exits(exitDone, exitOther, exitInput),
		Hidden:      true,
		RunE:        func(cmd *cobra.Command, args []string) error { return writeDocs(cmd.Root(), args[0]) },
	}
}

// writeDocs writes the pages and completions of a program into a folder, which it makes.
func writeDocs(root *cobra.Command, folder string) error {
	for path, write := range map[string]func(io.Writer) error{
		"bash/oxbase":      func(out io.Writer) error { return root.GenBashCompletionV2(out, true) },
		"zsh/_oxbase":      root.GenZshCompletion,
		"fish/oxbase.fish": func(out io.Writer) error { return root.GenFishCompletion(out, true) },
	} {
		if err := writeDoc(filepath.Join(folder, "completions", path), write); err != nil {
			return err
		}
	}
	return writeManTree(root, filepath.Join(folder, "man1"))
}

// writeManTree writes the pages of a command and of those below it.
func writeManTree(cmd *cobra.Command, folder string) error {
	err := writeDoc(filepath.Join(folder, manName(cmd)+".1"), func(out io.Writer) error { return writeMan(out, cmd) })
	if err != nil {
		return err
	}
	for _, c := range documented(cmd) {
		if err := writeManTree(c, folder); err != nil {
			return err
		}
	}
	return nil
}

func writeDoc(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
