//go:build !linux

package perfevent

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// Session samples a process. Here there is none.
type Session struct{}

func unsupported() error {
	return fmt.Errorf("perfevent: perf_event_open is a system call of Linux, and this is %s: %w", runtime.GOOS, errors.ErrUnsupported)
}

// Open returns an error that wraps errors.ErrUnsupported.
func Open(int, Config) (*Session, error) { return nil, unsupported() }

// Close is never called.
func (*Session) Close() (*Samples, error) { return nil, unsupported() }

// Try returns an error that wraps errors.ErrUnsupported.
func Try(string) error { return unsupported() }

// Probe returns an error that wraps errors.ErrUnsupported.
func Probe(Config) ([]Event, []string, error) { return nil, nil, unsupported() }

// Cost returns an error that wraps errors.ErrUnsupported.
func Cost(string) (time.Duration, error) { return 0, unsupported() }
