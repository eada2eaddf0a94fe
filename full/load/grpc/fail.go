package grpc

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/tarebench/tare/load"
)

// fail adds the call to an error, and hides secrets.
func (w *worker) fail(err error) error {
	return load.Mask(fmt.Errorf("grpc: %s %s: %w", w.method, w.where(), err), w.secrets...)
}

// fromServer returns the error for a status that the server returned.
func fromServer(s *status.Status) error {
	text := s.Code().String()
	if m := s.Message(); m != "" {
		text += ": " + short(m)
	}
	return load.WithStatus(s.Code().String(), load.WithClass(classOf(s.Code()), errors.New(text)))
}

// short limits a text, of which another kind of server may have sent much.
func short(text string) string {
	if len(text) > 200 {
		return text[:200] + "…"
	}
	return text
}

// explain returns why a call has no status from the server. An error that is the server's
// status is returned as it is, with class [load.ClassOther].
func (l *connector) explain(err error) error {
	explained := l.dialer.Err(err)
	if errors.Is(explained, load.ErrServerTLS) {
		return fmt.Errorf("%w (--db grpcs://…)", explained)
	}
	s, ok := status.FromError(err)
	if !ok || explained != err { // the run or the target has ended, or the connection said more
		return explained
	}
	text := s.Message()
	switch s.Code() {
	case codes.Unavailable:
		return l.unavailable(err, text)
	case codes.DeadlineExceeded:
		if text == context.DeadlineExceeded.Error() { // by package grpc
			return errTimeout(l.timeout)
		}
	case codes.Canceled:
		if text == "grpc: the client connection is closing" {
			return load.WithClass(load.ClassReset, errors.New(text))
		}
	case codes.Unknown, codes.Internal, codes.PermissionDenied, codes.Unauthenticated, codes.Unimplemented:
		if hasAny(text, "unexpected HTTP status code", "unexpected content-type", "PROTOCOL_ERROR", "FRAME_SIZE_ERROR", "COMPRESSION_ERROR",
			"malformed", "missing HTTP content-type", "received compressed message", "grpc: received") {
			return load.WithClass(load.ClassProtocol, errors.New(short(text)))
		}
	case codes.ResourceExhausted:
		if strings.HasPrefix(text, "grpc: received message larger than max") {
			return load.WithClass(load.ClassProtocol, fmt.Errorf("an answer is longer than %d bytes (-p grpc.limit=…)", l.limit))
		}
	}
	return err
}

// unavailable explains code Unavailable, which is the server's own status or that of a
// connection that cannot be made or was lost.
func (l *connector) unavailable(err error, text string) error {
	switch {
	case hasAny(text, "error reading server preface: http2", "error reading server preface: remote error", "PROTOCOL_ERROR", "FRAME_SIZE_ERROR", "frame too large", "failed to receive the server preface"):
		return load.WithClass(load.ClassProtocol, fmt.Errorf("%w: %s", errNotGRPC, short(text)))
	case hasAny(text, "authentication handshake failed"):
		if l.last() == nil || load.Class(l.last()) == load.ClassOther {
			return load.WithClass(load.ClassProtocol, errors.New(short(text)))
		}
	case hasAny(text, "unexpected HTTP status code"):
		return load.WithClass(load.ClassServer, errors.New(short(text)))
	}
	lost := hasAny(text, "connection error: ", "error reading from server", "transport is closing", "the connection is draining", "connection reset",
		"the stream is rejected because server is draining", "connection closed", "broken pipe", "EOF")
	trouble := l.last()
	switch {
	case !lost && trouble == nil:
		return err
	case trouble != nil:
		if load.Class(trouble) == load.ClassOther {
			return load.WithClass(load.ClassReset, errors.New(short(text)))
		}
		return fmt.Errorf("no connection: %w", trouble)
	}
	return load.WithClass(load.ClassReset, errors.New(short(text)))
}

func hasAny(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}
