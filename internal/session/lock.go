package session

import (
	"context"
	"errors"

	"github.com/tarebench/tare/internal/exit"
)

// errBusy is the error of a machine on which another tare measures.
var errBusy = errors.New("another tare is measuring on this machine")

// LockMachine keeps two tares from measuring at once on one machine. While
// another one measures it waits, and says so once, or fails if noWait is set.
// A machine that has no locks is not locked: then the result is nil, which can
// be unlocked too.
func LockMachine(ctx context.Context, p *Progress, noWait bool) (*MachineLock, error) {
	wait := func(holder string) {
		p.Note("another tare is measuring on this machine (%s); waiting for it", holder)
	}
	if noWait {
		wait = nil
	}
	l, err := lockMachine(ctx, wait)
	if errors.Is(err, errBusy) {
		return nil, exit.Failed(err, "wait for it, or leave out --no-wait")
	}
	return l, err
}
