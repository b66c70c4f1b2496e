package web

import (
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

const (
	jsonKind    = "application/json"
	problemKind = "application/problem+json"
)

// ServeHTTP implements [http.Handler].
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		// Answers are complete before their first byte is written, so that this one can replace them.
		if failure := recover(); failure != nil {
			s.log.Printf("panic: %s %q: %v\n%s", r.Method, r.URL.Path, failure, debug.Stack())
			writeProblem(w, problem{Status: http.StatusInternalServerError, Detail: "the server made a mistake: its log says more"})
		}
	}()
	secure(w.Header())
	route, ok := s.routes[r.URL.Path]
	if strings.HasPrefix(r.URL.Path, "/api/") {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", "ETag")
	}
	if !ok {
		writeProblem(w, notFoundf("there is nothing under this path"))
		return
	}
	if methods := strings.Split(route.methods, ", "); !slices.Contains(methods, r.Method) {
		w.Header().Set("Allow", route.methods)
		writeProblem(w, problem{http.StatusMethodNotAllowed, "the methods for this path are " + route.methods})
		return
	}
	if r.Method == http.MethodOptions {
		writeOptions(w, route)
		return
	}
	if err := route.answer(w, r); err != nil {
		writeProblem(w, s.problemOf(r, err))
	}
}

// secure sets the headers that every answer has.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
}

// writeOptions tells what a path can do, which a browser asks before it lets another site's
// script post.
func writeOptions(w http.ResponseWriter, route route) {
	w.Header().Set("Allow", route.methods)
	if route.api {
		w.Header().Set("Access-Control-Allow-Methods", route.methods)
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
		w.Header().Set("Access-Control-Max-Age", "86400")
	}
	w.WriteHeader(http.StatusNoContent)
}

// document is a complete answer.
type document struct {
	kind string // media type
	body []byte
	etag string // without the quotes
}

// write answers with a document, or says that the client has it already. Clients ask each time
// whether it is still good, unless the URL itself changes with what is under it.
func (d *document) write(w http.ResponseWriter, r *http.Request, immutable bool) error {
	if notModified(w, r, d.etag, immutable) {
		return nil
	}
	writeBody(w, http.StatusOK, d.kind, d.body)
	return nil
}

// notModified sets the headers for caches and answers 304 if the client has the entity.
func notModified(w http.ResponseWriter, r *http.Request, etag string, immutable bool) bool {
	quoted := `"` + etag + `"`
	w.Header().Set("ETag", quoted)
	w.Header().Set("Cache-Control", "no-cache")
	if immutable {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	for known := range strings.SplitSeq(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		if known = strings.TrimPrefix(strings.TrimSpace(known), "W/"); known == quoted || known == "*" {
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

func writeBody(w http.ResponseWriter, status int, kind string, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // that the client is gone is the client's affair
}
