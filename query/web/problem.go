package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"

	"oxbase/game"
	"oxbase/query"
)

// problem is an error as clients are told of it (RFC 9457). It is an error itself.
type problem struct {
	Status int    // HTTP status
	Detail string // what was wrong and what was wanted
}

func (p problem) Error() string { return p.Detail }

// MarshalJSON implements [json.Marshaler]. The title is the status in words.
func (p problem) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}{"about:blank", http.StatusText(p.Status), p.Status, p.Detail})
}

func badRequestf(format string, args ...any) problem {
	return problem{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

func notFoundf(format string, args ...any) problem {
	return problem{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

// problemOf tells an error of the client from one of the server, whose details are for the log.
func (s *Site) problemOf(r *http.Request, err error) problem {
	var (
		known     problem
		bothLines *game.BothLinesError
		tooLarge  *http.MaxBytesError
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &bothLines):
		return problem{http.StatusBadRequest, err.Error()}
	case errors.Is(err, query.ErrMissing):
		return problem{http.StatusNotFound, err.Error()}
	case errors.As(err, &tooLarge):
		return problem{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than %d bytes", tooLarge.Limit)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return problem{http.StatusRequestTimeout, "the body didn't come in time"}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return problem{http.StatusServiceUnavailable, "it took too long"}
	}
	s.log.Printf("%s %q: %v", r.Method, r.URL.RequestURI(), err)
	if errors.Is(err, query.ErrDamaged) {
		return problem{http.StatusInternalServerError, "the tablebase is damaged or incomplete: the server's log says more"}
	}
	return problem{http.StatusInternalServerError, "the tablebase can't be read: the server's log says more"}
}

func writeProblem(w http.ResponseWriter, p problem) {
	w.Header().Del("ETag")
	w.Header().Set("Cache-Control", "no-store")
	body, _ := json.Marshal(p) // strings and a number always can be written
	writeBody(w, p.Status, problemKind, append(body, '\n'))
}
