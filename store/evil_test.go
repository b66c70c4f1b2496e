package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"oxbase/game"
)

// inTime fails a test that a file would hang.
func inTime(t *testing.T, do func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute):
		t.Fatal("it runs on after a minute")
		return nil
	}
}

// levels appends pages to a file, each an interior one whose children are all the next page, the
// last time the given one, so that their number grows with the power of the levels. It returns the
// number of the first.
func levels(data []byte, count, children int, last uint32) ([]byte, uint32) {
	first := uint32(len(data)/pageSize) + 1
	for level := range count {
		child := first + uint32(level) + 1
		if level == count-1 {
			child = last
		}
		page := make([]byte, pageSize)
		page[0] = 0x05
		binary.BigEndian.PutUint16(page[3:], uint16(children))
		binary.BigEndian.PutUint32(page[8:], child)
		content := pageSize
		for i := range children {
			content -= 5 // a page number and a key of one byte
			binary.BigEndian.PutUint32(page[content:], child)
			page[content+4] = 100
			binary.BigEndian.PutUint16(page[interiorHeader+2*i:], uint16(content))
		}
		binary.BigEndian.PutUint16(page[5:], uint16(content))
		data = append(data, page...)
	}
	binary.BigEndian.PutUint32(data[28:], uint32(len(data)/pageSize))
	return data, first
}

// TestPagesWithoutEnd opens files of a few pages that would take for ever to read, since each of
// their pages is reached in very many ways.
func TestPagesWithoutEnd(t *testing.T) {
	root := func(t *testing.T, path, table string) int {
		t.Helper()
		var page int
		dsn, err := dataSource(path, "ro")
		if err != nil {
			t.Fatal(err)
		}
		db := openSQL(t, dsn)
		defer db.Close()
		if err := db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = ?", table).Scan(&page); err != nil {
			t.Fatal(err)
		}
		return page
	}
	// repeated returns a file whose table has the one leaf that another file's has, very many times.
	repeated := func(t *testing.T, path, table string) string {
		t.Helper()
		page, data := root(t, path, table), readBytes(t, path)
		leaf := bytes.Clone(data[(page-1)*pageSize:][:pageSize])
		number := uint32(len(data)/pageSize) + 1
		data, top := levels(append(data, leaf...), 18, 300, number)
		copy(data[(page-1)*pageSize:], data[(int(top)-1)*pageSize:][:pageSize])
		return fileOf(t, data)
	}
	t.Run("schema", func(t *testing.T) {
		// SQLite takes the row of an automatic index as often as it comes.
		path := changed(t, bytesOf(t, small()), "CREATE TABLE a(b UNIQUE)")
		data := readBytes(t, path)
		number := uint32(len(data)/pageSize) + 1
		leaf := make([]byte, pageSize)
		// A record: the length of its header, the types of type, name, tbl_name, rootpage and sql.
		cell := []byte{0, 1, 6, 13 + 2*5, 13 + 2*20, 13 + 2*1, 1, 0}
		cell = append(cell, "indexsqlite_autoindex_a_1a"...)
		cell = append(cell, byte(root(t, path, "sqlite_autoindex_a_1")))
		cell[0] = byte(len(cell) - 2)
		at := pageSize - len(cell)
		copy(leaf[at:], cell)
		leaf[0] = 0x0d
		binary.BigEndian.PutUint16(leaf[3:], 1)
		binary.BigEndian.PutUint16(leaf[5:], uint16(at))
		binary.BigEndian.PutUint16(leaf[8:], uint16(at))
		data, top := levels(append(data, leaf...), 18, 300, number)
		if data[100] != 0x05 {
			t.Fatal("the schema of the test's file has a single page, so that its root can't lead to more")
		}
		binary.BigEndian.PutUint32(data[100+8:], top)
		if err := inTime(t, func() error { _, err := Open(fileOf(t, data)); return err }); !errors.Is(err, ErrDamaged) ||
			!strings.Contains(err.Error(), "twice") {
			t.Errorf("got %v, want it to be %v", err, ErrDamaged)
		}
	})
	t.Run("empty leaves", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.db")
		build(t, path, metaOf(small()), nil)
		db := open(t, repeated(t, path, "positions"))
		err := inTime(t, func() error { return db.Rows(t.Context(), func([]game.Row) error { return nil }) })
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "empty leaf") {
			t.Errorf("got %v, want it to be %v", err, ErrDamaged)
		}
	})
	t.Run("rows", func(t *testing.T) {
		path := fileOf(t, bytesOf(t, small()))
		db := open(t, repeated(t, path, "positions"))
		err := inTime(t, func() error { return db.Rows(t.Context(), func([]game.Row) error { return nil }) })
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "comes after") {
			t.Errorf("got %v, want it to be %v", err, ErrDamaged)
		}
	})
	t.Run("game", func(t *testing.T) {
		path := fileOf(t, bytesOf(t, small()))
		path = repeated(t, path, "game")
		err := inTime(t, func() error { _, err := Open(path); return err })
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "several rows") {
			t.Errorf("got %v, want it to be %v", err, ErrDamaged)
		}
	})
}
