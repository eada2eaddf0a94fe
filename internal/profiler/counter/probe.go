package counter

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/tarebench/tare/internal/perfevent"
	"github.com/tarebench/tare/internal/profiler"
)

// opener opens an event of the kernel on this thread and closes it again. Of user
// mode alone a kernel may let count who may not count its own.
type opener func(userOnly bool) error

// probe tries one event that every kernel with perf events has. Whether there are
// events of the processor, too, each fork finds out and says.
func probe(goos string, open opener) error {
	if goos != "linux" {
		return errors.New("perf_event_open is a system call of Linux, and this is " + goos)
	}
	err := open(false)
	if errors.Is(err, fs.ErrPermission) {
		err = open(true)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return &profiler.ProbeError{
			Err:    fmt.Errorf("perf_event_open is refused: %w", err),
			Advice: perfevent.Advice,
		}
	case errors.Is(err, errors.ErrUnsupported):
		return fmt.Errorf("this kernel has no perf events: %w", err)
	}
	return fmt.Errorf("perf_event_open: %w", err)
}
