package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"oxbase/game"
)

// TestFind looks up each key of tables that SQLite has filled itself, with small and large pages
// and so with many levels and with one, and the keys beside them.
func TestFind(t *testing.T) {
	for name, key := range testKeys() {
		for _, size := range []int64{512, 4096, 65536} {
			for _, rows := range []int{0, 1, 3000} {
				t.Run(fmt.Sprintf("%s/%d bytes/%d rows", name, size, rows), func(t *testing.T) {
					d := filled(t, key, rows, size)
					stored := map[int64]bool{}
					for i := range rows {
						stored[key(i)] = true
					}
					for i := range rows {
						if row, ok, err := d.find(game.Key(key(i))); err != nil || !ok || row.Value != testValue(i) || row.Key != game.Key(key(i)) {
							t.Fatalf("key %d: got %+v, %v, %v: want %+v", key(i), row, ok, err, testValue(i))
						}
						for _, beside := range []int64{key(i) - 1, key(i) + 1} {
							if _, ok, err := d.find(game.Key(beside)); err != nil || ok != stored[beside] {
								t.Fatalf("key %d: found %v, %v: want %v", beside, ok, err, stored[beside])
							}
						}
					}
				})
			}
		}
	}
}

// filled returns a file of a page size, as far as find needs it.
func filled(t *testing.T, key func(int) int64, rows int, size int64) *DB {
	t.Helper()
	dsn, db := emptyFile(t, "a.db")
	insertRows(t, db, key, rows)
	execSQL(t, db, fmt.Sprintf("PRAGMA page_size = %d", size))
	execSQL(t, db, "VACUUM")
	root := queryNumber(t, db, "SELECT rootpage FROM sqlite_schema WHERE name = 'positions'")
	if got := queryNumber(t, db, "PRAGMA page_size"); got != size {
		t.Fatalf("pages of %d bytes: want %d", got, size)
	}
	file, err := os.Open(pathOf(t, dsn))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return &DB{path: file.Name(), pages: pageFile{file, size}, root: uint32(root)}
}

// Pages that were read are kept, the youngest of them, and there is an end to how many.
func TestKeptPages(t *testing.T) {
	const size = 65536
	d := filled(t, func(i int) int64 { return int64(i) }, 0, size)
	file, err := os.OpenFile(d.path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const pages = 3 * mostKept / size
	if err := file.Truncate(pages * size); err != nil {
		t.Fatal(err)
	}
	first, err := d.keptPage(1)
	if err != nil {
		t.Fatal(err)
	}
	for number := uint32(1); number <= pages; number++ {
		if _, err := d.keptPage(number); err != nil {
			t.Fatal(err)
		}
		if again, err := d.keptPage(1); err != nil || &again[0] != &first[0] {
			t.Fatalf("page 1 was read again after page %d, although it was always in use (%v)", number, err)
		}
		if kept := len(d.kept.younger) + len(d.kept.older); kept > 2*mostKept/size {
			t.Fatalf("%d pages are kept: want at most %d", kept, 2*mostKept/size)
		}
	}
	if _, err := d.keptPage(pages + 1); err == nil {
		t.Error("a page that isn't there was read")
	}
	if _, err := d.keptPage(0); err == nil {
		t.Error("page 0 was read")
	}
}

// TestFindOnDamagedPages breaks the structure of pages: no look-up says that a row isn't there
// which was.
func TestFindOnDamagedPages(t *testing.T) {
	spec := game.Spec{Width: 3, Height: 3, InRow: 3}
	rows := newSearch(spec).rows()
	sound := bytesOf(t, spec)
	d := open(t, fileOf(t, sound))
	root := int(d.root)
	rootPage, err := parseTreePage(sound[(root-1)*pageSize:][:pageSize])
	if err != nil {
		t.Fatal(err)
	}
	first, _, err := rootPage.child(0)
	if err != nil {
		t.Fatal(err)
	}
	leaf := int(first)
	if page := sound[(leaf-1)*pageSize:]; page[0] != leafType {
		t.Fatalf("page %d is of type %d: want a leaf", leaf, page[0])
	}
	for _, test := range []struct {
		name string
		page int
		at   int // of the page
		to   []byte
	}{
		{"a leaf without cells", leaf, 3, []byte{0, 0}},
		{"more cells than fit", leaf, 3, []byte{0xff, 0xff}},
		{"a cell in the header", leaf, leafHeader + 2*50, []byte{0, 4}},
		{"a cell among the offsets", leaf, leafHeader + 2*50, []byte{0, 60}},
		{"a cell beyond the page", leaf, leafHeader + 2*50, []byte{0xff, 0xff}},
		{"the last cell cut off", leaf, leafHeader + 2*50, []byte{0x0f, 0xff}},
		{"the same cell twice", leaf, leafHeader + 2*50, sound[(leaf-1)*pageSize+leafHeader+2*20:][:2]},
		{"an unknown type", leaf, 0, []byte{0x0a}},
		{"an interior page without cells", root, 3, []byte{0, 0}},
		{"a child in the header", root, interiorHeader, []byte{0, 5}},
		{"a child that isn't there", root, pageSize - 8, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
		{"no last child", root, 8, []byte{0, 0, 0, 0}},
		{"itself as its last child", root, 8, []byte{0, 0, byte(root >> 8), byte(root)}},
		{"zeros", leaf, 0, make([]byte, pageSize)},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := slices.Clone(sound)
			copy(data[(test.page-1)*pageSize+test.at:], test.to)
			d := open(t, fileOf(t, data))
			damaged := 0
			for _, row := range rows {
				v, ok, err := d.Lookup(row.Key)
				switch {
				case errors.Is(err, ErrDamaged):
					damaged++
				case err != nil || !ok || v != row.Value:
					t.Fatalf("key %d: got %+v, %v, %v: want %+v or %v", row.Key, v, ok, err, row.Value, ErrDamaged)
				}
			}
			if damaged == 0 {
				t.Error("no look-up found the damage")
			}
		})
	}
}

// fileOf returns a file with some content.
func fileOf(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOpenWhileItChanges: what is opened by its path and what SQLite reads must be the same file, as
// it was when SQLite locked it.
func TestOpenWhileItChanges(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, path string){
		"replaced": func(t *testing.T, path string) {
			if err := os.Rename(fileOf(t, bytesOf(t, small())), path); err != nil {
				t.Fatal(err)
			}
		},
		"pages of another size": func(t *testing.T, path string) {
			db := openSQL(t, "file:"+path)
			execSQL(t, db, "PRAGMA page_size = 1024")
			execSQL(t, db, "VACUUM")
			db.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := fileOf(t, bytesOf(t, small()))
			file, h, err := openHeader(path)
			if err != nil {
				t.Fatal(err)
			}
			change(t, path)
			if _, err := openFile(path, pageFile{file, h.pageSize}, h, all(t)); !errors.Is(err, errMoved) {
				t.Errorf("error %v, want %v", err, errMoved)
			}
			open(t, path)
		})
	}
}
