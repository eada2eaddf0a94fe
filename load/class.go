package load

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
)

// The classes of errors.
const (
	ClassNotFound    = "not_found"   // the record does not exist: counted, but no failure
	ClassTimeout     = "timeout"     // no response in time
	ClassRefused     = "refused"     // no connection could be made
	ClassReset       = "reset"       // the connection was lost
	ClassProtocol    = "protocol"    // the response was malformed
	ClassServer      = "server"      // the server returned an error
	ClassClient      = "client"      // the server rejected the request
	ClassStatus      = "status"      // the response had an unexpected status
	ClassCheck       = "check"       // the response is not what the request must return
	ClassCapture     = "capture"     // the response has no value that a later request needs
	ClassIntegrity   = "integrity"   // the value is not what was written
	ClassCanceled    = "canceled"    // cancelled by the client
	ClassNotAllowed  = "not_allowed" // the address is not one that may be loaded
	ClassUnsupported = "unsupported" // the system does not support the operation
	ClassOther       = "other"
)

// Class returns the class by which an operation's error is counted: ClassNotFound,
// which is no failure, ClassTimeout …, or "" for nil.
//
// An error, or one that it wraps, may have a method Class() string that returns one
// of these. Only a binding can identify errors that a server returned: it marks them
// with [WithClass].
func Class(err error) string {
	if err == nil {
		return ""
	}
	if err == ErrNotFound { // frequent, so without unwrapping
		return ClassNotFound
	}
	var own interface{ Class() string }
	if errors.As(err, &own) {
		if c := own.Class(); c != "" {
			return c
		}
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return ClassNotFound
	case errors.Is(err, ErrIntegrity):
		return ClassIntegrity
	case errors.Is(err, ErrUnsupported), errors.Is(err, errors.ErrUnsupported):
		return ClassUnsupported
	case errors.Is(err, context.Canceled):
		return ClassCanceled
	case isTimeout(err):
		return ClassTimeout
	case isRefused(err):
		return ClassRefused
	case isReset(err):
		return ClassReset
	}
	return ClassOther
}

func isTimeout(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return true
	}
	var t interface{ Timeout() bool } // net.Error, and syscall.ETIMEDOUT
	return errors.As(err, &t) && t.Timeout()
}

// isRefused reports whether no connection could be made: the port was closed, the
// host unknown or the socket's file missing.
func isRefused(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return true
	}
	var dns *net.DNSError
	return errors.As(err, &dns) || isAny(err, refusals())
}

// isReset reports whether the connection was lost. This includes an end of the
// connection within a response.
func isReset(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) ||
		errors.Is(err, net.ErrClosed) || isAny(err, resets())
}

func isAny(err error, of []error) bool {
	for _, e := range of {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
