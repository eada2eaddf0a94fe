package perfevent

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Try opens an event of a name on this thread and closes it again: nil if this machine
// and this user can have it. The error wraps what the kernel said.
func Try(event string) error {
	k, err := parseKind(event)
	if err != nil {
		return err
	}
	return k.try(defaultFrequency)
}

// try opens an event on this thread.
func (k kind) try(frequency int) error {
	fd, err := unix.PerfEventOpen(k.attributes(min(frequency, mostFrequency()), leastPages, true, false), 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// Probe returns the events that [Open] would sample by, with why better ones are
// passed over. Where sampling is refused the error wraps os.ErrPermission.
func Probe(c Config) ([]Event, []string, error) {
	c, ladders, err := c.prepared()
	if err != nil {
		return nil, nil, err
	}
	var events []Event
	var passed []string
	var errs error
	for _, rungs := range ladders {
		k, fell, err := climb(rungs, func(k kind) error { return k.try(c.Frequency) })
		if err != nil {
			errs = errors.Join(errs, err)
			continue
		}
		events, passed = append(events, k.event(min(c.Frequency, mostFrequency()))), append(passed, fell...)
	}
	return events, passed, errs
}
