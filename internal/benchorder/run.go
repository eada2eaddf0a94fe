package benchorder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/tarebench/tare/internal/service"
	"github.com/tarebench/tare/internal/tempdir"
)

// poll is how often the record is looked at.
const poll = 100 * time.Millisecond

// Runner says how orders are run. The zero value is ready.
type Runner struct {
	Program  []string      // the command that is tare; nil: this program
	Records  string        // a directory in which records are kept, as GROUP-MACHINE.jsonl; "": they are removed
	Messages io.Writer     // what tare bench says to people; nil: nobody is told
	Grace    time.Duration // how long a run may take to end after each of two signals; 0: 10 s
}

// ExitError is the end of a run with another exit code than 0. The record holds what was measured.
type ExitError struct {
	Code int    // of tare bench: 1 something failed, 2 wrong usage, 4 not trustworthy
	Last string // the last lines that it said
}

// Error implements error.
func (e *ExitError) Error() string {
	return fmt.Sprintf("tare bench: exit code %d: %s", e.Code, e.Last)
}

// Run runs an order with the zero Runner.
func Run(ctx context.Context, dir string, o Order, line func([]byte) error) error {
	return Runner{}.Run(ctx, dir, o, line)
}

// Run runs an order in directory dir, a checkout of this machine, and calls line with each line of its record as it is
// written, without the newline; a cut-off last line is left out. line must not keep it. Run returns when the run has ended and line has had all of it.
//
// When ctx ends, or line fails, the run is interrupted: its current fork may end within Grace. Then it is interrupted again,
// which ends the fork, and after Grace it is killed. A record that was not killed is marked partial. line is called with the
// rest, unless it has failed, and the error is ctx's or line's.
// A run that ends with another exit code than 0 returns an *ExitError. Nothing is run if the order is not valid.
func (r Runner) Run(ctx context.Context, dir string, o Order, line func([]byte) error) error {
	args, err := o.command()
	if err != nil {
		return err
	}
	place, err := r.place(o)
	if err != nil {
		return err
	}
	defer place.remove()
	cmd, said, err := r.start(dir, append([]string{"bench", "-o", place.path}, args...))
	if err != nil {
		return err
	}
	tail := &tail{path: place.path, line: o.labelled(line)}
	defer tail.close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	err = follow(ctx, cmd, ended, tail, r.grace())
	var exit *exec.ExitError
	switch {
	case tail.err != nil:
		return tail.err
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		return &ExitError{Code: exit.ExitCode(), Last: said.Last()}
	}
	return err
}

func (r Runner) grace() time.Duration {
	if r.Grace > 0 {
		return r.Grace
	}
	return 10 * time.Second
}

// start starts tare.
func (r Runner) start(dir string, args []string) (*exec.Cmd, *service.Tail, error) {
	program := r.Program
	if len(program) == 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, nil, err
		}
		program = []string{self}
	}
	said := &service.Tail{}
	cmd := exec.Command(program[0], append(program[1:len(program):len(program)], args...)...)
	cmd.Dir, cmd.Stderr = dir, said
	if r.Messages != nil {
		cmd.Stderr = io.MultiWriter(said, r.Messages)
	}
	service.OwnGroup(cmd) // a Ctrl-C in the agent's terminal is the agent's
	return cmd, said, cmd.Start()
}

// follow reads the record until the run has ended, and ends it when ctx ends or a line cannot be handed over.
func follow(ctx context.Context, cmd *exec.Cmd, ended <-chan error, t *tail, grace time.Duration) error {
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	stop := ctx.Done()
	var next <-chan time.Time // when the next, harder signal is due
	signals := 0
	end := func() {
		signals++
		stop = nil
		switch {
		case signals > 2 || cmd.Process.Signal(os.Interrupt) != nil:
			service.Kill(cmd)
			next = nil
		default:
			next = time.After(grace)
		}
	}
	for {
		select {
		case err := <-ended:
			t.read()
			return err
		case <-ticker.C:
			t.read()
			if t.err != nil && signals == 0 {
				end()
			}
		case <-stop:
			end()
		case <-next:
			end()
		}
	}
}

// place is where the record lies.
type place struct {
	path   string
	remove func()
}

func (r Runner) place(o Order) (place, error) {
	if r.Records != "" {
		if err := os.MkdirAll(r.Records, 0o755); err != nil {
			return place{}, err
		}
		path, err := filepath.Abs(r.kept(o))
		if err != nil {
			return place{}, err
		}
		if _, err := os.Stat(path); err == nil {
			return place{}, fmt.Errorf("%s exists already: the order has been run here", path)
		}
		return place{path, func() {}}, nil
	}
	dir, err := tempdir.Dir("order")
	if err != nil {
		return place{}, err
	}
	return place{filepath.Join(dir.Path, "record.jsonl"), func() { dir.Remove() }}, nil
}

// kept returns the name of the record of an order that is kept.
func (r Runner) kept(o Order) string { return filepath.Join(r.Records, o.Group+"-"+o.Machine+".jsonl") }
