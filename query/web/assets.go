package web

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed assets
var assets embed.FS

// addAssets adds a route for each file of the page: HTML under its name without the extension, the
// explorer under /, and what the HTML asks for under the path of the file. It returns an entity tag for all of them together.
func (s *Site) addAssets() (string, error) {
	var tags []string
	err := fs.WalkDir(assets, "assets", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := assets.ReadFile(file)
		if err != nil {
			return err
		}
		d := &document{body: body, etag: tag(string(body))}
		tags = append(tags, d.etag)
		where := "/" + file
		switch path.Ext(file) {
		case ".html":
			d.kind = "text/html; charset=utf-8"
			if where = "/" + strings.TrimSuffix(entry.Name(), ".html"); where == "/explorer" {
				where = "/"
			}
		case ".css":
			d.kind = "text/css; charset=utf-8"
		case ".js":
			d.kind = "text/javascript; charset=utf-8"
		case ".svg":
			d.kind = "image/svg+xml"
		default:
			return fmt.Errorf("the asset %s is of no known kind", file)
		}
		s.routes[where] = route{readMethods, false, func(w http.ResponseWriter, r *http.Request) error {
			return d.write(w, r, false)
		}}
		return nil
	})
	return tag(tags...), err
}
