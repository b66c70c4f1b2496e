//go:build unix

package store

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPipe: a named pipe is not replaced, and nothing waits for someone who writes into it.
func TestPipe(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if w, err := Create(t.Context(), path, metaOf(small())); err == nil {
		w.Abort()
		t.Error("Create: no error")
	} else if !strings.Contains(err.Error(), "not a plain file") {
		t.Errorf("Create: got %q", err)
	}
	if db, err := Open(path); err == nil {
		db.Close()
		t.Error("Open: no error")
	} else if !strings.Contains(err.Error(), "not a plain file") {
		t.Errorf("Open: got %q", err)
	}
	if diff := cmp.Diff([]string{"pipe"}, listing(t, folder)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
