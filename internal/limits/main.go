//go:build unix

// Command limits measures how close tare is to what the machine allows, and writes a table:
//
//	make limits                                  everything; about 20 minutes on a machine left alone
//	go run ./internal/limits -only loop,probe    some rows
//
// A figure is measured by benchmarks of the repository, which tare bench runs, or it is the time or size of a build. What
// bounds it is measured in the same run. Records stay in the directory of -out.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
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
	only := f.String("only", "", "only rows whose name begins with one of these `words`, separated by commas")
	if err := f.Parse(args); err != nil {
		return err
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
	var done []measured
	for _, r := range rows() {
		if !chosen(r.name, *only) {
			continue
		}
		m, err := l.measure(r)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", r.name, err)
		}
		m.err = err
		done = append(done, m)
	}
	bounds, err := l.bounds()
	if err != nil {
		return err
	}
	text := table(l.machine, bounds, done)
	fmt.Fprint(stdout, text)
	if *page != "" {
		if err := put(*page, text); err != nil {
			return err
		}
	}
	if *readme != "" {
		return put(*readme, sentences(done))
	}
	return nil
}

// chosen reports whether a row's name begins with one of some words; all are chosen without words.
func chosen(name, words string) bool {
	if words == "" {
		return true
	}
	for _, w := range strings.Split(words, ",") {
		if strings.HasPrefix(name, strings.TrimSpace(w)) {
			return true
		}
	}
	return false
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
