//go:build linux

package target

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/internal/process/spawn"
)

// Attack makes an attack if it was chosen, and passes its row to done, however it ended. It logs what, the inputs in words.
func (c Config) Attack(ctx context.Context, name, what string, done tally.Done, attack func(row *tally.Row, l *spawn.Launcher) error) error {
	if !c.Chosen(name) {
		return nil
	}
	launcher, err := spawn.Start(ctx, spawn.Config{})
	if err != nil {
		return err
	}
	defer launcher.Close()
	c.Logf("%s: %s", name, what)
	row := tally.NewRow(name)
	err = attack(row, launcher)
	row.End()
	if err := errors.Join(err, done(row)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Each calls try with the number of every input, in so many goroutines. It ends at the first error, which it returns,
// or with the context.
func (in *Inputs) Each(ctx context.Context, goroutines int, try func(number int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	for range goroutines {
		group.Go(func() {
			for {
				number, ok := in.Next(ctx)
				if !ok {
					return
				}
				if err := try(number); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
