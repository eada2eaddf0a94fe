//go:build unix

// Command breadth runs tare on code that was not written for it, and prints a table:
//
//	go -C dev run ./breadth                    the standard library, and well-known modules; hours on a small machine
//	go -C dev run ./breadth -only std/net      some packages
//	go -C dev run ./breadth -table             only what is known so far
//
// Each package that has benchmarks is run by go test for one operation of each, and by tare bench. Both must find
// the same benchmarks, and what fails under tare must fail under go test. What is known of a package is in a file of
// its own in the directory of results, so that a run that was interrupted goes on.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tarebench/tare/dev/repository"
	"github.com/tarebench/tare/internal/base/tempdir"
)

// options are the flags.
type options struct {
	results, page, tare, only string
	limit                     time.Duration
	most                      int
	again, tableOnly          bool
	work                      string // directory of temporary files
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := repository.Enter()
	if err == nil {
		err = run(ctx, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "breadth:", err)
		stop()
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("breadth", flag.ContinueOnError)
	f.StringVar(&o.results, "results", "breadth-results", "directory of what is known of each package")
	f.StringVar(&o.page, "page", "", "put the tables between the marks of this Markdown file")
	f.StringVar(&o.tare, "tare", "", "the command (default: it is built)")
	f.StringVar(&o.only, "only", "", "only packages that begin so, separated by commas: std/net, github.com/rs")
	f.DurationVar(&o.limit, "limit", 2*time.Minute, "the most that go test, and tare, may take for a package")
	f.IntVar(&o.most, "most", 1000, "only list the benchmarks of a package that has more than this, and do not measure each")
	f.BoolVar(&o.again, "again", false, "run packages again whose result is known")
	f.BoolVar(&o.tableOnly, "table", false, "run nothing")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("takes no argument, and was given %q", f.Arg(0))
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if !o.tableOnly {
		if err := o.runAll(ctx); err != nil {
			return err
		}
	}
	results, err := readResults(o.results)
	if err != nil {
		return err
	}
	text := tables(results)
	fmt.Print(text)
	if o.page == "" {
		return nil
	}
	return updatePage(o.page, text)
}

// runAll runs all packages that were chosen and are not known.
func (o *options) runAll(ctx context.Context) (err error) {
	if o.results, err = filepath.Abs(o.results); err != nil {
		return err
	}
	work, err := tempdir.Dir("breadth")
	if err != nil {
		return err
	}
	defer work.Remove()
	o.work = work.Path
	if err := o.build(ctx); err != nil {
		return err
	}
	if err := o.runModule(ctx, module{path: std}); err != nil {
		return err
	}
	for _, path := range wellKnown {
		if !o.chosen(path) {
			continue
		}
		m, err := download(ctx, path, o.work)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "breadth:", err)
			continue
		}
		err = o.runModule(ctx, m)
		m.remove()
		if err != nil {
			return err
		}
	}
	return nil
}

// runModule runs the packages of a module that have benchmarks.
func (o *options) runModule(ctx context.Context, m module) error {
	packages, err := m.packages(ctx, o.work)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "breadth:", err)
		return nil
	}
	for _, p := range packages {
		if !o.chosen(p.label()) || !o.again && isKnown(o.results, p) {
			continue
		}
		r := o.try(ctx, p)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := r.write(o.results); err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, r.line())
	}
	return nil
}

// chosen reports whether -only has a package, or could have packages of a module.
func (o *options) chosen(label string) bool {
	for only := range strings.SplitSeq(o.only, ",") {
		if strings.HasPrefix(label, only) || strings.HasPrefix(only, label+"/") {
			return true
		}
	}
	return false
}

// build builds the command if none was given.
func (o *options) build(ctx context.Context) (err error) {
	if o.tare != "" {
		o.tare, err = filepath.Abs(o.tare)
		return err
	}
	o.tare = filepath.Join(o.work, "tare")
	if out, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", o.tare, "github.com/tarebench/tare/cmd/tare").CombinedOutput(); err != nil {
		return fmt.Errorf("go build cmd/tare: %w: %s", err, out)
	}
	return nil
}
