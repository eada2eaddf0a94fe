//go:build linux

package target

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tarebench/tare/internal/process/spawn"
)

// Command is a command line that runs as a process of its own.
type Command struct {
	Args   []string
	Dir    string        // where it runs
	Tmp    string        // its TMPDIR; default: one of its own
	Env    []string      // more of the environment
	Limit  time.Duration // of wall time; default MaxWait
	Ulimit string        // options of the shell's ulimit: "-f 8"
	Stdout string        // a file that it writes to instead, as /dev/full
}

// Run runs the command and waits for its end. It fails only where it could not be started.
func (c Config) Run(ctx context.Context, l *spawn.Launcher, cmd Command) (Outcome, error) {
	dir, err := c.Dir("run")
	if err != nil {
		return Outcome{}, err
	}
	defer os.RemoveAll(dir)
	if cmd.Tmp == "" {
		cmd.Tmp = filepath.Join(dir, "tmp")
		if err := os.Mkdir(cmd.Tmp, 0o777); err != nil {
			return Outcome{}, err
		}
	}
	out, err := outputFile(cmd.Stdout, filepath.Join(dir, "stdout"))
	if err != nil {
		return Outcome{}, err
	}
	defer out.Close()
	messages, err := os.Create(filepath.Join(dir, "stderr"))
	if err != nil {
		return Outcome{}, err
	}
	defer messages.Close()
	if cmd.Limit == 0 {
		cmd.Limit = MaxWait
	}
	r, err := l.Run(ctx, spawn.Spec{
		Path: "sh", Args: append([]string{"-c", cmd.script(), c.Tare}, cmd.Args...), Dir: cmd.Dir, Env: Env(cmd.Tmp, cmd.Env...),
		Stdout: out, Stderr: messages, Timeout: cmd.Limit, Grace: 2 * time.Second,
	})
	if err != nil && !errors.Is(err, spawn.ErrTimeout) {
		return Outcome{}, err
	}
	o := Outcome{Code: r.ExitCode, Hung: err != nil, Peak: r.Peak, Took: r.Wall(), CPU: r.User + r.Sys}
	if r.Signal != 0 && !o.Hung {
		o.Died = "signal: " + r.Signal.String()
	}
	return o, o.read(out, messages)
}

// script starts the command under the limits. A heap without bound must not take the
// machine along, so that there is always one on addresses.
func (c Command) script() string {
	limits := "ulimit -v 6000000; "
	if c.Ulimit != "" {
		limits += fmt.Sprintf("ulimit %s || exit 99; ", c.Ulimit)
	}
	return limits + `exec "$0" "$@"`
}

func outputFile(given, path string) (*os.File, error) {
	if given != "" {
		return os.OpenFile(given, os.O_WRONLY, 0)
	}
	return os.Create(path)
}

// read reads what was printed.
func (o *Outcome) read(out, messages *os.File) error {
	var a, b watch
	for _, f := range []struct {
		name string
		to   *watch
	}{{out.Name(), &a}, {messages.Name(), &b}} {
		if info, err := os.Stat(f.name); err != nil || !info.Mode().IsRegular() {
			continue // /dev/full
		}
		file, err := os.Open(f.name)
		if err != nil {
			return err
		}
		_, err = file.WriteTo(f.to)
		file.Close()
		if err != nil {
			return err
		}
	}
	o.fill(&a, &b)
	return nil
}

func (o *Outcome) fill(out, messages *watch) {
	o.Output, o.Messages, o.Raw = string(out.head), string(messages.head), out.raw
	if o.Raw == "" {
		o.Raw = messages.raw
	}
}
