package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"oxbase/game"
)

// twoGames are two games whose files have other sizes, for a file that becomes the other.
func twoGames() [2]game.Spec {
	return [2]game.Spec{{Width: 3, Height: 2, InRow: 3, Misere: true}, small()}
}

// readWhole reads all of a file, in each way that there is, and returns an error unless it holds
// one of the two games and nothing of the other.
func readWhole(ctx context.Context, path string, rows map[string][]game.Row) (name string, err error) {
	db, err := Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	info, name := db.Info(), db.Game().String()
	want, known := rows[name]
	if !known || info.Positions != int64(len(want)) || info.Size == 0 {
		return "", fmt.Errorf("it says that it is %+v", info)
	}
	for _, row := range want {
		if v, ok, err := db.Lookup(row.Key); err != nil || !ok || v != row.Value {
			return "", fmt.Errorf("%s: key %d is %+v, %t, %v, want %+v", name, row.Key, v, ok, err, row.Value)
		}
	}
	next := 0
	err = db.Rows(ctx, func(batch []game.Row) error {
		for _, row := range batch {
			if row != want[next] {
				return fmt.Errorf("%s: row %d is %+v, want %+v", name, next, row, want[next])
			}
			next++
		}
		return nil
	})
	if err != nil {
		return "", err
	}

	var sum, wantSum int64
	for _, row := range want {
		wantSum += int64(row.Key) * int64(row.Score)
	}
	switch err := db.SQL().QueryRowContext(ctx, "SELECT sum(key * score) FROM positions").Scan(&sum); {
	case errors.Is(err, ErrReplaced):
	case err != nil:
		return "", err
	case sum != wantSum:
		return "", fmt.Errorf("%s: the sum in SQL is %d, want %d", name, sum, wantSum)
	}

	session, err := OpenSession(ctx, path, nil, func(*game.Game, game.Board) string { return "" })
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	var said texts
	if err := session.Query(ctx, "SELECT name FROM game", &said); err != nil {
		return "", err
	}
	if want := session.Game().String(); len(said) != 1 || said[0] != want {
		return "", fmt.Errorf("a session of %s holds %q", want, said)
	}
	return name, nil
}

// texts collects results of one column.
type texts []string

func (t *texts) Columns([]string) error { return nil }

func (t *texts) Row(values []any) error {
	*t = append(*t, fmt.Sprint(values...))
	return nil
}

// readerVariable is the environment variable that makes TestReaderProcess read a file.
const readerVariable = "OXBASE_TEST_READ"

// TestReaderProcess is what TestReadersWhileReplaced runs in processes of its own: it reads a file
// on many goroutines until its standard input ends, and writes a line each time.
func TestReaderProcess(t *testing.T) {
	path := os.Getenv(readerVariable)
	if path == "" {
		return
	}
	rows := map[string][]game.Row{}
	for _, spec := range twoGames() {
		g, err := game.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		rows[g.String()] = newSearch(spec).rows()
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	goroutines := 16
	if underRace {
		goroutines = 4
	}
	var group sync.WaitGroup
	for range goroutines {
		group.Go(func() {
			for ctx.Err() == nil {
				name, err := readWhole(t.Context(), path, rows)
				if err != nil {
					fmt.Printf("wrong: %v\n", err)
					return
				}
				fmt.Printf("read %s\n", name)
			}
		})
	}
	group.Wait()
}

// readings counts, for each process, how often it has read the file of each game.
type readings []map[string]int

// reach reports whether each process has read each of the two files that often.
func (r readings) reach(often int) bool {
	for _, files := range r {
		if len(files) < 2 {
			return false
		}
		for _, times := range files {
			if times < often {
				return false
			}
		}
	}
	return true
}

// TestReadersWhileReplaced lets 64 goroutines in four processes read a file from its header to its
// last row, again and again, while builds replace it by that of another game.
func TestReadersWhileReplaced(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.db")
	games := twoGames()
	rows := [2][]game.Row{newSearch(games[0]).rows(), newSearch(games[1]).rows()}
	build(t, path, metaOf(games[0]), rows[0])

	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		process int
		text    string
	}
	lines := make(chan line, 1000)
	var group sync.WaitGroup
	var inputs []io.Closer
	for i := range 4 {
		cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestReaderProcess$")
		cmd.Env = append(os.Environ(), readerVariable+"="+path)
		in, errIn := cmd.StdinPipe()
		out, errOut := cmd.StdoutPipe()
		if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, in)
		group.Go(func() {
			for scan := bufio.NewScanner(out); scan.Scan(); {
				lines <- line{i, scan.Text()}
			}
			if err := cmd.Wait(); err != nil {
				lines <- line{i, "wrong: " + err.Error()}
			}
		})
	}
	go func() {
		group.Wait()
		close(lines)
	}()

	// Builds go on until each process has read each of the two files a number of times.
	often := 16
	if underRace {
		often = 2
	}
	read := make(readings, len(inputs))
	for i := range read {
		read[i] = map[string]int{}
	}
	var wrong []string
	enough, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		said := false
		for l := range lines {
			if name, ok := strings.CutPrefix(l.text, "read "); ok {
				read[l.process][name]++
			} else if strings.HasPrefix(l.text, "wrong: ") {
				wrong = append(wrong, l.text)
			}
			if !said && (len(wrong) > 0 || read.reach(often)) {
				said = true
				close(enough)
			}
		}
	}()
	builds := 0
	for waiting := true; waiting; builds++ {
		build(t, path, metaOf(games[1-builds%2]), rows[1-builds%2])
		if diff := cmp.Diff([]string{"a.db"}, listing(t, folder)); diff != "" {
			t.Errorf("files after build %d (-want +got):\n%s", builds, diff)
			break
		}
		select {
		case <-enough:
			waiting = false
		case <-t.Context().Done():
			waiting = false
		default:
		}
	}
	for _, in := range inputs {
		in.Close()
	}
	<-done
	for _, text := range wrong {
		t.Error(text)
	}
	t.Logf("%d builds; whole reads of each game by each process: %v", builds, read)
	if diff := cmp.Diff([]string{"a.db"}, listing(t, folder)); diff != "" {
		t.Errorf("files at the end (-want +got):\n%s", diff)
	}
}

// TestOpenWhileReplaced opens a file while it is replaced so fast that this often happens between
// two steps of opening it.
func TestOpenWhileReplaced(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.db")
	games := twoGames()
	var files [2][]byte
	sizes := map[string]int64{}
	for i, spec := range games {
		build(t, path, metaOf(spec), newSearch(spec).rows())
		files[i] = readFile(t, path)
		sizes[open(t, path).Game().String()] = int64(len(files[i]))
	}
	stop := make(chan struct{})
	var replacer sync.WaitGroup
	defer replacer.Wait()
	defer close(stop)
	replacer.Go(func() {
		next := filepath.Join(folder, "next")
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(time.Duration(rand.IntN(500)) * time.Microsecond):
			}
			if err := errors.Join(os.WriteFile(next, files[i%2], 0o644), os.Rename(next, path)); err != nil {
				t.Error(err)
				return
			}
		}
	})
	times := 100
	if underRace {
		times = 10
	}
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range times {
				db, err := Open(path)
				if err != nil {
					t.Error(err)
					return
				}
				if name, size := db.Game().String(), db.Info().Size; sizes[name] != size {
					t.Errorf("%s has %d bytes, want %d", name, size, sizes[name])
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	readers.Wait()
}

// TestSQLOfReplacedFile: SQL reads the file that was opened, or says that it has another one.
func TestSQLOfReplacedFile(t *testing.T) {
	games := twoGames()
	path := filepath.Join(t.TempDir(), "a.db")
	build(t, path, metaOf(games[0]), newSearch(games[0]).rows())
	db := open(t, path)
	connection, err := db.SQL().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	const query = "SELECT name FROM game"
	var before, after, again string
	build(t, path, metaOf(games[0]), newSearch(games[0]).rows()) // the same once more
	if err := db.SQL().QueryRow(query).Scan(&before); err != nil || before != db.Game().String() {
		t.Errorf("after a build of the same: %q, %v", before, err)
	}
	db.SQL().SetMaxIdleConns(0) // so that the next query needs another connection
	build(t, path, metaOf(games[1]), newSearch(games[1]).rows())
	if err := db.SQL().QueryRow(query).Scan(&after); !errors.Is(err, ErrReplaced) || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("after a build of another game: %q, %v, want %v", after, err, ErrReplaced)
	}
	if err := connection.QueryRowContext(t.Context(), query).Scan(&again); err != nil || again != db.Game().String() {
		t.Errorf("on a connection from before: %q, %v", again, err)
	}
}
