package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"time"

	"oxbase/game"
	"oxbase/query"
)

const (
	maxBody      = 256 << 10        // bytes
	maxBatch     = 1000             // positions in one request
	maxStrip     = 1000             // cells: the answer can be as long as their square
	batchTimeout = 20 * time.Second // for looking up a batch
	countTimeout = 60 * time.Second // for counting what a tablebase holds
)

func (s *Site) answerGames(w http.ResponseWriter, r *http.Request) error {
	if _, err := parameters(r.URL.RawQuery); err != nil {
		return err
	}
	return s.list.write(w, r, false)
}

func (s *Site) answerPosition(w http.ResponseWriter, r *http.Request) error {
	q, err := s.question(r, "board", "to_move")
	if err != nil {
		return err
	}
	p, err := parsePosition(q.Tablebase.Game, q.values["board"], q.values["to_move"])
	if err != nil {
		return err
	}
	if q.answered(w, r) {
		return nil
	}
	report, err := q.Tablebase.Report(p)
	if err != nil {
		return err
	}
	return writeJSON(w, report)
}

// parsePosition reads a position. What is wrong with it is a problem.
func parsePosition(g *game.Game, board, toMove string) (game.Position, error) {
	p, err := query.ParsePosition(g, board, toMove)
	switch {
	case errors.As(err, new(*query.TurnError)):
		return p, badRequestf("%v: say it with to_move", err)
	case err != nil:
		return p, badRequestf("%v", err)
	}
	return p, nil
}

func (s *Site) answerStrip(w http.ResponseWriter, r *http.Request) error {
	q, err := s.question(r, "strip")
	if err != nil {
		return err
	}
	strip, err := query.ParseStrip(q.values["strip"])
	if err != nil {
		return badRequestf("%v", err)
	}
	if len(strip) > maxStrip {
		return badRequestf("the strip has %d cells: want at most %d", len(strip), maxStrip)
	}
	if q.answered(w, r) {
		return nil
	}
	report, err := query.NewStrips(q.Tablebase).Report(strip)
	if err != nil {
		return err
	}
	return writeJSON(w, report)
}

// batch is a request for many positions.
type batch struct {
	Game      string `json:"game"`
	Positions []struct {
		Board  string `json:"board"`
		ToMove string `json:"to_move"`
	} `json:"positions"`
}

// answerPositions answers with a report or a problem for each position, in their order.
func (s *Site) answerPositions(w http.ResponseWriter, r *http.Request) error {
	if _, err := parameters(r.URL.RawQuery); err != nil {
		return err
	}
	b, err := readBatch(w, r)
	if err != nil {
		return err
	}
	g, err := s.game(b.Game)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), batchTimeout)
	defer cancel()
	answers := make([]any, len(b.Positions))
	for i, asked := range b.Positions {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := parsePosition(g.Tablebase.Game, asked.Board, asked.ToMove)
		if err != nil {
			answers[i] = err
			continue
		}
		report, err := g.Tablebase.Report(p)
		if err == nil {
			answers[i] = report
			continue
		}
		known := s.problemOf(r, err)
		if known.Status >= http.StatusInternalServerError {
			return known
		}
		answers[i] = known
	}
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, struct {
		Positions []any `json:"positions"`
	}{answers})
}

func readBatch(w http.ResponseWriter, r *http.Request) (batch, error) {
	var b batch
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != jsonKind {
		return b, problem{http.StatusUnsupportedMediaType, "the body's Content-Type must be " + jsonKind}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if isLate := errors.Is(err, os.ErrDeadlineExceeded); isLate || errors.As(err, new(*http.MaxBytesError)) {
		return b, err
	}
	if err != nil {
		return b, badRequestf("reading the body: %v", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil {
		return b, badRequestf("the body isn't a JSON object with game and positions: %v", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return b, badRequestf("something follows the JSON object of the body")
	}
	switch n := len(b.Positions); {
	case n == 0:
		return b, badRequestf("the body has no positions")
	case n > maxBatch:
		return b, problem{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has %d positions: want at most %d", n, maxBatch)}
	}
	return b, nil
}

// answerStats answers with what the game's tablebase holds, counting it for the first who asks.
func (s *Site) answerStats(w http.ResponseWriter, r *http.Request) error {
	q, err := s.question(r)
	if err != nil {
		return err
	}
	if q.Count == nil {
		return notFoundf("%s is too large to be counted while it is served", q.ID)
	}
	if q.answered(w, r) {
		return nil
	}
	// Where a deadline can't be set there is none.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(countTimeout + writeTimeout))
	ctx, cancel := context.WithTimeout(r.Context(), countTimeout)
	defer cancel()
	body, err := s.count(ctx, q.served)
	if err != nil {
		return err
	}
	writeBody(w, http.StatusOK, jsonKind, body)
	return nil
}

// count returns the statistics of a game as JSON.
func (s *Site) count(ctx context.Context, g *served) ([]byte, error) {
	select {
	case s.counting <- struct{}{}:
		defer func() { <-s.counting }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if g.statistics == nil {
		report, err := g.Count(ctx)
		if err != nil {
			return nil, err
		}
		if g.statistics, err = encode(report); err != nil {
			return nil, err
		}
	}
	return g.statistics, nil
}

// writeJSON answers with a value.
func writeJSON(w http.ResponseWriter, value any) error {
	body, err := encode(value)
	if err == nil {
		writeBody(w, http.StatusOK, jsonKind, body)
	}
	return err
}

// encode writes a value as the commands do with --json, on one line.
func encode(value any) ([]byte, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return body.Bytes(), err
}
