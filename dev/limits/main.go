//go:build unix

// Command limits measures how close tare is to what the machine allows, and writes a table:
//
//	make limits                                  everything; about 20 minutes on a machine left alone
//	go -C dev run ./limits -only 'loop|probe'  some rows
//
// A figure is that of a benchmark of the repository, which tare bench runs, or the time or the size of a build. The last four benchmarks
// measure what the machine allows. The records stay in the directory -out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/tarebench/tare/dev/repository"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := repository.Enter()
	if err == nil {
		err = run(ctx, os.Args[1:], os.Stdout)
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "limits:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("limits", flag.ContinueOnError)
	page := f.String("page", "", "put the table between the marks of this Markdown `file`")
	readme := f.String("readme", "", "put sentences about the figures between the marks of this Markdown `file`")
	out := f.String("out", "limits-records", "`directory` of records")
	only := f.String("only", "", "only rows whose name matches this `regexp`; nothing is written to pages")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	if *only != "" && (*page != "" || *readme != "") {
		return errors.New("-page and -readme need all rows: leave out -only")
	}
	if err := os.MkdirAll(*out, 0o777); err != nil {
		return err
	}
	dir, err := filepath.Abs(*out)
	if err != nil {
		return err
	}
	l := &lab{ctx: ctx, dir: dir, tare: filepath.Join(dir, "tare"), log: os.Stderr}
	if err := l.command("", "go", "build", "-trimpath", "-o", l.tare, "./cmd/tare"); err != nil {
		return err
	}
	done, interrupted := l.measureAll(chosen)
	if interrupted != nil {
		fmt.Fprint(stdout, table(l.machine, nil, done))
		return interrupted
	}
	bounds, err := l.bounds()
	text := table(l.machine, bounds, done)
	fmt.Fprint(stdout, text)
	if err != nil {
		return err
	}
	return errors.Join(write(*page, *readme, text, done), failed(done))
}

// measureAll measures the rows. If it is interrupted, it returns those that were measured before, and an error.
func (l *lab) measureAll(chosen []row) (done []measured, interrupted error) {
	for _, r := range chosen {
		m, err := l.measure(r)
		if l.ctx.Err() != nil {
			return done, fmt.Errorf("interrupted after %d of %d rows", len(done), len(chosen))
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", r.name, err)
		}
		m.err = err
		done = append(done, m)
	}
	return done, nil
}

// write writes the table into the file page and the sentences into the file readme, each between its marks. An empty name is left out.
func write(page, readme, text string, done []measured) error {
	var errs []error
	if page != "" {
		errs = append(errs, put(page, text))
	}
	if readme != "" {
		errs = append(errs, put(readme, sentences(done)))
	}
	return errors.Join(errs...)
}

// failed returns an error that names the rows without a figure, or nil if there is none.
func failed(done []measured) error {
	var names []string
	for i := range done {
		if done[i].err != nil {
			names = append(names, done[i].name)
		}
	}
	if names == nil {
		return nil
	}
	return fmt.Errorf("not measured: %s", strings.Join(names, "; "))
}

// choose returns the rows whose name a regular expression matches; all if it is empty.
func choose(only string) (chosen []row, err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	var names []string
	for _, r := range rows() {
		names = append(names, r.name)
		if pattern.MatchString(r.name) {
			chosen = append(chosen, r)
		}
	}
	if chosen == nil {
		return nil, fmt.Errorf("-only %q matches no row; rows are:\n  %s", only, strings.Join(names, "\n  "))
	}
	return chosen, nil
}

// lab runs what is measured.
type lab struct {
	ctx       context.Context
	dir, tare string
	log       io.Writer
	machine   string // of the last record
}

// command runs a command in a directory; "" is the root of the repository.
func (l *lab) command(dir, name string, args ...string) error {
	cmd := exec.CommandContext(l.ctx, name, args...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = l.log, l.log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(append([]string{name}, args...), " "), err)
	}
	return nil
}
