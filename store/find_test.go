package store

import (
	"fmt"
	"os"
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
