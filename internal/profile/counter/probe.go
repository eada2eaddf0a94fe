package counter

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/tarebench/tare/internal/process/perfevent"
	"github.com/tarebench/tare/internal/process/profiler"
)

// opener opens an event on this thread and closes it again. A kernel may allow counting user mode only.
type opener func(userOnly bool) error

// probe tries an event that every kernel with perf events has. Each fork reports which events of the processor
// are available.
func probe(goos string, open opener) error {
	if goos != "linux" {
		return errors.New("perf_event_open needs Linux, this is " + goos)
	}
	err := open(false)
	if errors.Is(err, fs.ErrPermission) {
		err = open(true)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return &profiler.UnavailableError{
			Err:    fmt.Errorf("perf_event_open is not permitted: %w", err),
			Advice: perfevent.Advice,
		}
	case errors.Is(err, errors.ErrUnsupported):
		return fmt.Errorf("this kernel has no perf events: %w", err)
	}
	return fmt.Errorf("perf_event_open: %w", err)
}
