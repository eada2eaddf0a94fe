// Command judge runs tare why on both sides of seeds and says whether the planted cause is the first that is named:
//
//	go run ./cmd/judge -tare ../../tare NAME…     # without names, all seeds: about 40 minutes
//	go run ./cmd/judge -keep DIR                  # keeps the records in DIR, and reads those that are there: seconds
//	go run ./cmd/judge -same                      # compares the changed side with itself, its lines moved: nothing may be named
//
// It fails if more than one in 30 pairs without a difference has a cause.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/tarebench/tare/suites/why"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("judge", flag.ContinueOnError)
	fs.SetOutput(stderr)
	c := court{stderr: stderr}
	fs.StringVar(&c.program, "tare", "tare", "`program` to run")
	fs.StringVar(&c.from, "from", ".", "`directory` with base and seeds")
	fs.StringVar(&c.keep, "keep", "", "`directory` for records; those that it has are read instead of measuring")
	fs.BoolVar(&c.same, "same", false, "compare the changed side with a copy of itself whose lines are moved")
	if err := fs.Parse(args); err != nil {
		return err
	}
	seeds, err := why.Load(c.from)
	if err != nil {
		return err
	}
	if err := c.prepare(); err != nil {
		return err
	}
	var t tally
	for i := range seeds {
		s := &seeds[i]
		if fs.NArg() > 0 && !slices.Contains(fs.Args(), s.Name) {
			continue
		}
		a, err := c.ask(s)
		if err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", s.Name, err)
			t.failed++
			continue
		}
		fmt.Fprintf(stdout, "%-28s %-13s %-11s %s\n", s.Name, s.Cause, t.add(s, a, c.same), a.first())
	}
	fmt.Fprint(stdout, "\n", t.String())
	switch {
	case t.failed > 0:
		return fmt.Errorf("%d seeds were not looked at", t.failed)
	case 30*t.accused > max(t.same, 30):
		return errors.New("causes were named where there are none")
	}
	return nil
}

// prepare makes paths absolute: tare runs in another directory.
func (c *court) prepare() error {
	program, err := exec.LookPath(c.program)
	if err != nil {
		return err
	}
	if c.program, err = filepath.Abs(program); err != nil || c.keep == "" {
		return err
	}
	if c.keep, err = filepath.Abs(c.keep); err != nil {
		return err
	}
	return os.MkdirAll(c.keep, 0o777)
}
