package web

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"time"
)

const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second // header and body
	writeTimeout  = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 16 << 10 // bytes, the line with the URL included
	endTimeout    = 500 * time.Millisecond
)

// Serve answers requests on a listener until ctx is cancelled. Then it lets those under way
// finish, but no longer than half a second, and returns nil; it closes the listener.
func Serve(ctx context.Context, listener net.Listener, s *Site) error {
	return serve(ctx, listener, newServer(s, s.log))
}

func newServer(handler http.Handler, logger *log.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ErrorLog:          logger,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
	}
}

func serve(ctx context.Context, listener net.Listener, server *http.Server) error {
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server.BaseContext = func(net.Listener) context.Context { return requests }
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	end, stop := context.WithTimeout(requests, endTimeout)
	defer stop()
	err := server.Shutdown(end)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	if served := <-failed; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
