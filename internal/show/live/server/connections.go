package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"net"
	"net/http"
)

// maxConnections is how many connections there are at a time, with those that have sent nothing and those whose TLS is not yet
// agreed on. It is below the number of files that a process may have open on every system.
const maxConnections = 128

// seatKey is the key of a connection's seat in the context of its requests.
type seatKey struct{}

// connected gives a new connection a seat, for which a silent connection leaves, or else one of a visitor, but none of the owner.
func (s *Server) connected(ctx context.Context, c net.Conn) context.Context {
	end := c.Close
	if secure, ok := c.(*tls.Conn); ok {
		end = secure.NetConn().Close // which does not wait for who reads nothing
	}
	x := s.connections.take(silent, visitor, func() { end() })
	if x == nil {
		end()
		return ctx
	}
	s.seatOf.Store(c, x)
	return context.WithValue(ctx, seatKey{}, x)
}

// stateChanged updates the rank of a connection when its state changes.
func (s *Server) stateChanged(c net.Conn, state http.ConnState) {
	x, ok := s.seatOf.Load(c)
	if !ok {
		return
	}
	switch state {
	case http.StateActive:
		s.connections.set(x.(*seat), visitor)
	case http.StateIdle:
		s.connections.set(x.(*seat), silent)
	case http.StateClosed:
		s.seatOf.Delete(c)
		s.connections.free(x.(*seat))
	}
}

// ranked gives connections the rank of their request.
func (s *Server) ranked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if x, ok := r.Context().Value(seatKey{}).(*seat); ok {
			s.connections.set(x, s.rankOf(r))
		}
		next.ServeHTTP(w, r)
	})
}

// rankOf returns the rank of a request that has passed the guard. Without a token every program of this machine passes the
// guard, also those of other users. The owner is then whoever has the secret that was printed. The secret follows # in the
// address, which browsers do not send to servers; the script of the page adds it to its requests.
func (s *Server) rankOf(r *http.Request) rank {
	if s.setup.Token != "" {
		return owner
	}
	given, own := sha256.Sum256([]byte(r.URL.Query().Get("owner"))), sha256.Sum256([]byte(s.secret))
	if subtle.ConstantTimeCompare(given[:], own[:]) == 1 {
		return owner
	}
	return visitor
}
