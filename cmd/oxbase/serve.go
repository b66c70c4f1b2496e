package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"path/filepath"

	"github.com/spf13/cobra"

	"oxbase/query"
	"oxbase/query/stats"
	"oxbase/query/web"
	"oxbase/store"
)

// serveOptions are the flags and arguments of serve.
type serveOptions struct {
	addr  string
	files []string
}

func newServe(s streams, db *string) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve [FILE...]",
		Short: "Explore tablebases in a browser",
		Long: `Serve a page that shows positions and strips, and the HTTP API that the page asks, from
one tablebase file or several. The address of the page is printed on standard output
once it can be opened. An interrupt ends the program.

Only this computer can open the page unless --addr says otherwise. With port 0 the
system chooses a free one. Files are read into memory as long as that takes less than
256 MiB altogether; the others are read as they are asked for.

The API answers with JSON that has the fields of the other commands:
  GET  /api/games                             the games that are served
  GET  /api/position?game=&board=&to_move=    as "query board --json"
  POST /api/positions                         many positions in one request
  GET  /api/strip?game=&strip=                as "query strip --json"
  GET  /api/stats?game=                       as "stats --json"`,
		Example: `  oxbase serve
  oxbase serve ox.db 4x4x4.db 5x4x4-drop.db
  oxbase serve --addr 127.0.0.1:0`,
		Annotations: exits(exitDone, exitOther, exitInput, exitMissing, exitDamaged),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.files = args; len(args) == 0 {
				o.files = []string{dbPath(*db, defaultDB)}
			} else if *db != "" {
				return usagef("serve takes files as arguments or one with --db, not both")
			}
			return runServe(cmd.Context(), s, o)
		},
	}
	cmd.Flags().StringVar(&o.addr, "addr", "127.0.0.1:8080", "where to listen, HOST:PORT; without HOST on every address of this computer")
	return cmd
}

func runServe(ctx context.Context, s streams, o serveOptions) error {
	// Listening comes first, so that a taken port is reported before large files are read.
	listener, err := listen(ctx, o.addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	games := make([]web.Game, len(o.files))
	memory := uint64(mostLoaded)
	for i, file := range o.files {
		d, err := openDB(file)
		if err != nil {
			return err
		}
		defer d.Close()
		if games[i], err = servedGame(ctx, file, d, &memory); err != nil {
			return err
		}
		fmt.Fprintf(s.err, "serving %s from %s\n", games[i].Tablebase.Game, filepath.Clean(file))
	}
	site, err := web.New(version, games, log.New(s.err, "oxbase: ", 0))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(s.out, "%s\n", pageURL(listener.Addr())); err != nil {
		return err
	}
	return web.Serve(ctx, listener, site)
}

// listen waits for connections under an address.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, usagef("--addr %q: want HOST:PORT, such as 127.0.0.1:8080", addr)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	var (
		wrongName *net.DNSError
		wrongAddr *net.AddrError
	)
	switch {
	case errors.Is(err, addressInUse):
		return nil, fmt.Errorf("another program listens on %s already: choose another port with --addr, 0 for any that is free", addr)
	case errors.As(err, &wrongName), errors.As(err, &wrongAddr):
		return nil, usagef("--addr %q: %w", addr, err)
	case err != nil:
		return nil, fmt.Errorf("listening on %s: %w", addr, err)
	}
	return listener, nil
}

// pageURL returns what to open in a browser on this computer for a server that listens on an address.
func pageURL(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d/", tcp.Port)
	}
	return fmt.Sprintf("http://%s/", addr)
}

// servedGame prepares the file under a path for many questions: it is read into memory if it takes
// no more than what is left of that, which becomes less by it.
func servedGame(ctx context.Context, path string, d *store.DB, memory *uint64) (web.Game, error) {
	info := d.Info()
	g := web.Game{
		Tablebase: tablebaseOf(d), StripLength: info.StripLength, Positions: info.Positions, ContentHash: info.ContentHash,
	}
	size := query.LoadedSize(info.Positions)
	if size > *memory {
		return g, nil
	}
	t, rows, err := loadTable(ctx, path, d)
	if err != nil {
		return g, err
	}
	*memory -= size
	g.Tablebase = t
	g.Count = func(ctx context.Context) (any, error) {
		return stats.Collect(ctx, t, rows, func(int64) {})
	}
	return g, nil
}
