package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
)

// pathOf returns the path of the file that a data source names.
func pathOf(t *testing.T, dsn string) string {
	t.Helper()
	escaped, _, _ := strings.Cut(strings.TrimPrefix(dsn, "file:"), "?")
	path, err := url.PathUnescape(escaped)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// partedFile returns a file that is large enough to be checked in parts, and positions' root.
func partedFile(t *testing.T, rows int) (path string, root uint32) {
	t.Helper()
	dsn := bulkFile(t, func(i int) int64 { return int64(i) * 3 }, rows, 0)
	path = pathOf(t, dsn)
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	return path, uint32(queryNumber(t, db, "SELECT rootpage FROM sqlite_schema WHERE name = 'positions'"))
}

// TestPartsCountEveryRow checks files whose trees have two and three levels, in different
// numbers of parts.
func TestPartsCountEveryRow(t *testing.T) {
	for _, rows := range []int{0, 1000, 700_000} {
		path, root := partedFile(t, rows)
		most := 5
		if underRace {
			most = 2
		}
		for parts := 1; parts <= most; parts++ {
			t.Run(fmt.Sprintf("%d rows in %d parts", rows, parts), func(t *testing.T) {
				count, ok, err := checkInParts(t.Context(), path, root, parts)
				if err != nil {
					t.Fatal(err)
				}
				if want := rows == 700_000 && parts > 1; ok != want {
					t.Fatalf("in parts: %v, want %v", ok, want)
				}
				if ok && count != int64(rows) {
					t.Errorf("counted %d rows, want %d", count, rows)
				}
			})
		}
	}
}

// TestPartsFindDamage swaps two keys of a leaf, for leaves all over the file.
func TestPartsFindDamage(t *testing.T) {
	path, root := partedFile(t, 700_000)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged, want := 0, 6
	if underRace {
		want = 1
	}
	for number := len(sound)/pageSize - 1; damaged < want && number > 20; number -= 411 {
		page := sound[(number-1)*pageSize:][:pageSize]
		if page[0] != 0x0d {
			continue
		}
		file := append([]byte(nil), sound...)
		// The first two offsets of the leaf.
		offsets := file[(number-1)*pageSize+leafHeader:]
		first, second := binary.BigEndian.Uint16(offsets), binary.BigEndian.Uint16(offsets[2:])
		binary.BigEndian.PutUint16(offsets, second)
		binary.BigEndian.PutUint16(offsets[2:], first)
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := checkInParts(t.Context(), path, root, 2); !ok || !errors.Is(err, ErrDamaged) {
			t.Errorf("page %d: in parts: %v, error %v; want %v", number, ok, err, ErrDamaged)
		}
		damaged++
	}
	if damaged < want {
		t.Errorf("only %d leaves were damaged, want %d", damaged, want)
	}
}

func TestPartsStopWhenCancelled(t *testing.T) {
	path, root := partedFile(t, 700_000)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := checkInParts(ctx, path, root, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
