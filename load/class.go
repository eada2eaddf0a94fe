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
	ClassNotFound    = "not_found"   // there is no such record: counted, and no failure
	ClassTimeout     = "timeout"     // no answer in time
	ClassRefused     = "refused"     // no connection was to be had
	ClassReset       = "reset"       // the connection was lost
	ClassProtocol    = "protocol"    // the answer made no sense
	ClassServer      = "server"      // the answer was an error
	ClassClient      = "client"      // the answer was that the request is wrong
	ClassStatus      = "status"      // the answer was none of those expected
	ClassIntegrity   = "integrity"   // the value is not what was written
	ClassCanceled    = "canceled"    // given up by this side
	ClassUnsupported = "unsupported" // the system cannot do such a thing
	ClassOther       = "other"
)

// Class returns the class of an operation's error, by which it is counted:
// ClassNotFound, which is no failure, ClassTimeout …, or "" for nil.
//
// An error that knows better, itself or one that it wraps, has a method Class()
// string that returns one of these. Only a binding knows which errors are a
// server's answer: it marks them with [WithClass].
func Class(err error) string {
	if err == nil {
		return ""
	}
	if err == ErrNotFound { // often, and not worth unwrapping
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

// isRefused takes every failure to make a connection for a refusal: whether the
// port was closed, the host unknown or the socket's file missing.
func isRefused(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return true
	}
	var dns *net.DNSError
	return errors.As(err, &dns) || isAny(err, refusals())
}

// isReset takes an end of the connection within an answer for a reset too.
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
