package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// parameters reads the query of a URL. It is a problem if it can't be decoded, or has a name that
// isn't expected, or one twice.
func parameters(raw string, names ...string) (map[string]string, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, badRequestf("the query of the URL: %v", err)
	}
	single := make(map[string]string, len(values))
	for name, list := range values {
		switch {
		case !slices.Contains(names, name):
			return nil, badRequestf("there is no parameter %q: want %s", name, strings.Join(names, ", "))
		case len(list) > 1:
			return nil, badRequestf("the parameter %s is there %d times: want one", name, len(list))
		}
		single[name] = list[0]
	}
	return single, nil
}

// question is a request on a game.
type question struct {
	*served
	values    map[string]string // the parameters
	immutable bool              // the answer to the same URL never changes
}

// question reads the parameters of a request on a game: which one, the tag that the client knows
// of it, and the named others. An URL with the tag never has another answer, since it is a problem
// if what is served has another tag.
func (s *Site) question(r *http.Request, names ...string) (question, error) {
	values, err := parameters(r.URL.RawQuery, append([]string{"game", "etag"}, names...)...)
	if err != nil {
		return question{}, err
	}
	g, err := s.game(values["game"])
	if err != nil {
		return question{}, err
	}
	known, immutable := values["etag"]
	if immutable && known != g.ETag {
		return question{}, notFoundf("what is served of %s has etag %s, not %q", g.ID, g.ETag, known)
	}
	return question{g, values, immutable}, nil
}

// answered sets the headers for caches, and answers if the client has the answer already.
func (q question) answered(w http.ResponseWriter, r *http.Request) bool {
	return notModified(w, r, q.ETag, q.immutable)
}

// game returns the game that a request names, the first if it names none.
func (s *Site) game(id string) (*served, error) {
	if id == "" {
		return s.games[0], nil
	}
	ids := make([]string, len(s.games))
	for i, g := range s.games {
		if g.ID == id {
			return g, nil
		}
		ids[i] = g.ID
	}
	return nil, notFoundf("the game %q isn't served: want %s", id, strings.Join(ids, ", "))
}
