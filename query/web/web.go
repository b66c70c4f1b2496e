// Package web is the explorer: an HTTP API that answers questions from tablebases, and a page for
// the browser that asks it. It writes nothing anywhere and sends nothing that it wasn't asked for.
//
// [New] makes the handler, [Serve] runs it on a listener. Paths are compared as a whole with a
// fixed list, so that none can lead out of the embedded assets, and only keys that were computed
// from a board reach a tablebase.
package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"net/http"

	"oxbase/game"
	"oxbase/query"
)

// Game is a tablebase that is served.
type Game struct {
	Tablebase   *query.Tablebase // its source must be safe for concurrent use
	StripLength int              // longest gap with an SG value, in cells
	Positions   int64            // number of positions stored
	ContentHash string           // changes when what the tablebase holds does

	// Count counts what the tablebase holds, as a value that can be written as JSON. Only one call
	// at a time is made, and none after one that succeeded. It is nil if nothing can be counted.
	Count func(context.Context) (any, error)
}

// Site answers HTTP requests. It is safe for concurrent use.
type Site struct {
	games    []*served
	list     *document // the answer of /api/games
	routes   map[string]route
	log      *log.Logger
	counting chan struct{} // holds a token while something is counted
}

// served is a game with what clients are told of it.
type served struct {
	Game
	description
	statistics []byte // JSON, nil until they were counted; guarded by Site.counting
}

// description is what the list of games says of one. The columns of the file's table game have
// the same names.
type description struct {
	ID          string        `json:"game"` // the name, or NAME~2 for the second file of that name
	Name        string        `json:"name"`
	Width       int           `json:"width"`
	Height      int           `json:"height"`
	InRow       int           `json:"in_row"`
	Drop        bool          `json:"is_drop"`
	Misere      bool          `json:"is_misere"`
	Turns       game.Turns    `json:"turns"`
	Symmetry    game.Symmetry `json:"symmetry"`
	StripLength int           `json:"strip_length"`
	Positions   int64         `json:"positions"`
	ContentHash string        `json:"content_hash"`
	ETag        string        `json:"etag"` // of every answer from this file, without the quotes
}

// gameList is the answer of /api/games.
type gameList struct {
	Version string        `json:"version"` // of the program
	Games   []description `json:"games"`   // the first is meant where a request names none
}

// New makes a site of games, at least one. version is the program's, and logger is told what
// goes wrong on this side.
func New(version string, games []Game, logger *log.Logger) (*Site, error) {
	s := &Site{log: logger, counting: make(chan struct{}, 1)}
	s.routes = s.apiRoutes()
	page, err := s.addAssets()
	if err != nil {
		return nil, err
	}
	list := gameList{Version: version}
	names := map[string]int{}
	for _, g := range games {
		d := describe(g)
		if names[d.Name]++; names[d.Name] > 1 {
			d.ID = fmt.Sprintf("%s~%d", d.Name, names[d.Name])
		}
		text, err := json.Marshal(d)
		if err != nil {
			return nil, err
		}
		// Another page may need other answers, although it comes from the same version.
		d.ETag = tag(version, page, string(text))
		s.games = append(s.games, &served{Game: g, description: d})
		list.Games = append(list.Games, d)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	s.list = &document{kind: jsonKind, body: append(text, '\n'), etag: tag(string(text))}
	return s, nil
}

func describe(g Game) description {
	t := g.Tablebase
	return description{
		ID: t.Game.String(), Name: t.Game.String(), Width: t.Game.Width, Height: t.Game.Height, InRow: t.Game.InRow,
		Drop: t.Game.Drop, Misere: t.Game.Misere, Turns: t.Turns, Symmetry: t.Symmetry,
		StripLength: g.StripLength, Positions: g.Positions, ContentHash: g.ContentHash,
	}
}

// tag returns an entity tag for what consists of some parts, without the quotes.
func tag(parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(hash.Sum(nil)[:12])
}

// route is what can be done under a path.
type route struct {
	methods string // as the header Allow lists them
	api     bool   // any other site's scripts may read the answers
	answer  func(http.ResponseWriter, *http.Request) error
}

const (
	readMethods = "GET, HEAD, OPTIONS"
	postMethods = "POST, OPTIONS"
)

func (s *Site) apiRoutes() map[string]route {
	return map[string]route{
		"/api/games":     {readMethods, true, s.answerGames},
		"/api/position":  {readMethods, true, s.answerPosition},
		"/api/positions": {postMethods, true, s.answerPositions},
		"/api/strip":     {readMethods, true, s.answerStrip},
		"/api/stats":     {readMethods, true, s.answerStats},
	}
}
