//go:build !unix

package store

// syncFolder does nothing where folders can't be opened: there a rename is on its way to the
// disk when it returns.
func syncFolder(string) error { return nil }
