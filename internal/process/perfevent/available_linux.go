package perfevent

import (
	"errors"

	"golang.org/x/sys/unix"
)

// CheckEvent opens an event on this thread and closes it again. It returns nil if the machine and the user's
// permissions allow the event, and otherwise an error that wraps the kernel's.
func CheckEvent(event string) error {
	k, err := parseEvent(event)
	if err != nil {
		return err
	}
	return k.try(defaultFrequency)
}

// try opens an event on this thread.
func (k eventSpec) try(frequency int) error {
	fd, err := unix.PerfEventOpen(k.attributes(min(frequency, frequencyLimit()), minPages, true, false), 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// AvailableEvents returns the events that [Open] would use and why better ones are not available. The error
// wraps os.ErrPermission if the kernel refuses to sample.
func AvailableEvents(c Config) ([]Event, []string, error) {
	c, candidates, err := c.withDefaults()
	if err != nil {
		return nil, nil, err
	}
	var events []Event
	var rejected []string
	var errs error
	for _, list := range candidates {
		k, failed, err := openFirst(list, func(k eventSpec) error { return k.try(c.Frequency) })
		if err != nil {
			errs = errors.Join(errs, err)
			continue
		}
		events, rejected = append(events, k.opened(min(c.Frequency, frequencyLimit()))), append(rejected, failed...)
	}
	return events, rejected, errs
}
