//go:build !linux

package perfevent

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// Session is not available on this system.
type Session struct{}

func unsupported() error {
	return fmt.Errorf("perfevent: perf_event_open needs Linux, this is %s: %w", runtime.GOOS, errors.ErrUnsupported)
}

// Open returns an error that wraps errors.ErrUnsupported.
func Open(int, Config) (*Session, error) { return nil, unsupported() }

// Close is never called: Open always fails.
func (*Session) Close() (*Samples, error) { return nil, unsupported() }

// CheckEvent returns an error that wraps errors.ErrUnsupported.
func CheckEvent(string) error { return unsupported() }

// AvailableEvents returns an error that wraps errors.ErrUnsupported.
func AvailableEvents(Config) ([]Event, []string, error) { return nil, nil, unsupported() }

// Cost returns an error that wraps errors.ErrUnsupported.
func Cost(string) (time.Duration, error) { return 0, unsupported() }
