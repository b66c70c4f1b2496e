package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"oxbase/game"
)

// randomGames returns positions from random games of 4x4x4 that aren't over, as an address's
// query and as items of a batch.
func randomGames(b *testing.B, n int) (queries []string, items []map[string]string) {
	b.Helper()
	g, err := game.Parse("4x4x4")
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(4, 4))
	for len(queries) < n {
		p := game.Start()
		for range random.IntN(14) {
			moves := g.Moves(p.Board)
			for {
				if cell := random.IntN(g.Cells()); moves>>cell&1 != 0 {
					p = p.Play(cell)
					break
				}
			}
			if _, over := g.Terminal(p.Board); over {
				break
			}
		}
		if _, over := g.Terminal(p.Board); over {
			continue
		}
		board, toMove := g.Text(p.Board), p.ToMove.String()
		queries = append(queries, fmt.Sprintf("board=%s&to_move=%s", board, toMove))
		items = append(items, map[string]string{"board": board, "to_move": toMove})
	}
	return queries, items
}

// BenchmarkServe asks the server over loopback with 8 connections at once: for single positions
// of random games of 4x4x4, and for 100 of them in a request. It reports requests and positions
// per second, the 99th percentile of the time that a request takes, and what the process holds on
// the heap afterwards, the file in memory included.
func BenchmarkServe(b *testing.B) {
	server := serving(b, built(b, "4x4x4"))
	queries, items := randomGames(b, 2000)
	var batches [][]byte
	const size = 100
	for chunk := range slices.Chunk(items, size) {
		body, err := json.Marshal(map[string]any{"positions": chunk})
		if err != nil {
			b.Fatal(err)
		}
		batches = append(batches, body)
	}
	b.Run("position", func(b *testing.B) {
		load(b, 1, func(client *http.Client, i int) (*http.Response, error) {
			return client.Get(server + "/api/position?" + queries[i%len(queries)])
		})
	})
	b.Run("positions", func(b *testing.B) {
		load(b, size, func(client *http.Client, i int) (*http.Response, error) {
			return client.Post(server+"/api/positions", "application/json", bytes.NewReader(batches[i%len(batches)]))
		})
	})
}

// load sends b.N requests over 8 connections and reports what came of it.
func load(b *testing.B, positions int, send func(client *http.Client, i int) (*http.Response, error)) {
	const connections = 8
	var (
		group sync.WaitGroup
		mu    sync.Mutex // guards what follows
		next  int
		took  []time.Duration
	)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	defer client.CloseIdleConnections()
	b.ResetTimer()
	for range connections {
		group.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= b.N {
					return
				}
				start := time.Now()
				answer, err := send(client, i)
				if err != nil {
					b.Error(err)
					return
				}
				_, err = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if err != nil || answer.StatusCode != http.StatusOK {
					b.Errorf("%s, %v", answer.Status, err)
					return
				}
				mu.Lock()
				took = append(took, time.Since(start))
				mu.Unlock()
			}
		})
	}
	group.Wait()
	b.StopTimer()
	if len(took) == 0 {
		return
	}
	slices.Sort(took)
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	perSecond := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(perSecond, "requests/s")
	b.ReportMetric(perSecond*float64(positions), "positions/s")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(memory.HeapAlloc)/(1<<20), "heap-MiB")
}

// BenchmarkReport is what the server does for one position, without HTTP.
func BenchmarkReport(b *testing.B) {
	path := built(b, "4x4x4")
	d, err := openDB(path)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	memory := uint64(mostLoaded)
	inMemory, err := servedGame(b.Context(), path, d, &memory)
	if err != nil {
		b.Fatal(err)
	}
	nothing := uint64(0)
	inFile, err := servedGame(b.Context(), path, d, &nothing)
	if err != nil {
		b.Fatal(err)
	}
	for _, variant := range []struct {
		name string
		of   func(game.Position) error
	}{
		{"memory", func(p game.Position) error { _, err := inMemory.Tablebase.Report(p); return err }},
		{"file", func(p game.Position) error { _, err := inFile.Tablebase.Report(p); return err }},
	} {
		b.Run("start/"+variant.name, func(b *testing.B) {
			for b.Loop() {
				if err := variant.of(game.Start()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
