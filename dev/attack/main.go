//go:build linux

// Command attack tries to make tare panic, hang, eat memory, print what a terminal would obey, or lose
// what it has measured, and prints a table of what happened:
//
//	go -C dev run ./attack                          all attacks, for hours on a small machine
//	go -C dev run ./attack -scale 0.01              a hundredth of the inputs
//	go -C dev run ./attack -only 'read records' -seed 1a -input 712   one input again
//
// It drives the command from outside, as a user does: it builds it, starts processes of it, and reads what
// they print and write. Every process has a temporary directory of its own. It exits 1 if anything was found.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"syscall"

	"github.com/tarebench/tare/dev/attack/measuring"
	"github.com/tarebench/tare/dev/attack/readers"
	"github.com/tarebench/tare/dev/attack/servers"
	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/dev/attack/target"
	"github.com/tarebench/tare/dev/repository"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/cli"
	"github.com/tarebench/tare/load/http"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/mock"
	"github.com/tarebench/tare/load/kv/redis"
)

// The arguments that make of this program a worker or a hog.
const (
	serveArgument = "serve-command-lines"
	hogArgument   = "take-a-processor"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == serveArgument {
		if err := target.Serve(command); err != nil {
			fmt.Fprintln(os.Stderr, "attack: worker:", err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) == 3 && os.Args[1] == hogArgument {
		seed, _ := strconv.ParseUint(os.Args[2], 10, 64)
		measuring.Hog(seed)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	found, err := run(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
	}
	if err != nil || found {
		stop()
		os.Exit(1)
	}
}

// command is the command in this process. It has the bindings that workers open.
func command(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Main(cli.Config{Bindings: []kv.Binding{mock.Binding(), http.Binding(), redis.Binding()}}, args, stdin, stdout, stderr)
}

// options are the flags.
type options struct {
	target.Config
	seed, page string
	work       *tempdir.Place // Config.Work
}

func parse(args []string) (options, error) {
	o := options{Config: target.Config{Log: os.Stderr}}
	f := flag.NewFlagSet("attack", flag.ContinueOnError)
	f.StringVar(&o.seed, "seed", "", "seed of all choices, hexadecimal (default: drawn and printed)")
	f.StringVar(&o.Only, "only", "", "only attacks whose names begin so, separated by commas")
	f.Float64Var(&o.Scale, "scale", 1, "factor on the number of inputs")
	f.IntVar(&o.Input, "input", -1, "only the input of this number")
	f.DurationVar(&o.Limit, "limit", 0, "time after which an attack takes no more inputs (default none)")
	f.StringVar(&o.Tare, "tare", "", "the command to attack (default: it is built)")
	f.StringVar(&o.Keep, "keep", "", "directory for the inputs of findings")
	f.StringVar(&o.page, "page", "", "put the rows into the table between the marks of this Markdown file")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("takes no argument, and was given %q", f.Arg(0))
	}
	o.Seed = rand.Uint64() >> 32
	if o.seed != "" {
		seed, err := strconv.ParseUint(o.seed, 16, 64)
		if err != nil {
			return o, fmt.Errorf("-seed %s: not a hexadecimal number", o.seed)
		}
		o.Seed = seed
	}
	return o, nil
}

// run makes all attacks, prints the table, and reports whether anything was found.
func run(ctx context.Context, args []string) (found bool, err error) {
	o, err := parse(args)
	if err != nil {
		return false, err
	}
	debug.SetGCPercent(50) // this process is beside those that it attacks
	if err := o.prepare(ctx); err != nil {
		return false, err
	}
	defer o.work.Remove()
	o.Logf("seed %x, scale %g", o.Seed, o.Scale)
	rows, err := attacks(ctx, o)
	if e := tally.Write(os.Stdout, rows); err == nil {
		err = e
	}
	for _, r := range rows {
		for _, f := range r.Findings() {
			found = true
			fmt.Printf("%s, input %d: %s: %s\n", f.Attack, f.Input, f.Kind, f.Text)
			fmt.Printf("  again: go -C dev run ./attack -seed %x -scale %g -only '%s' -input %d\n", o.Seed, o.Scale, f.Attack, f.Input)
			if f.Kept != "" {
				fmt.Printf("  kept: %s\n", f.Kept)
			}
		}
	}
	return found, err
}

// prepare makes the directory for everything, and builds the command.
func (o *options) prepare(ctx context.Context) (err error) {
	if err := repository.Enter(); err != nil {
		return err
	}
	if o.Root, err = os.Getwd(); err != nil {
		return err
	}
	if o.Keep != "" {
		if o.Keep, err = filepath.Abs(o.Keep); err != nil {
			return err
		}
	}
	if o.work, err = tempdir.Dir("attack"); err != nil {
		return err
	}
	o.Work = o.work.Path
	if o.Tare != "" {
		o.Tare, err = filepath.Abs(o.Tare)
		return err
	}
	o.Tare = filepath.Join(o.Work, "tare")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", o.Tare, "./cmd/tare")
	build.Dir = o.Root
	if out, err := build.CombinedOutput(); err != nil {
		o.work.Remove()
		return fmt.Errorf("go build ./cmd/tare: %w: %s", err, out)
	}
	return nil
}

// attacks runs what was chosen, and returns the rows that there are even if it fails.
func attacks(ctx context.Context, o options) (rows []*tally.Row, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	flags := fmt.Sprintf("-scale %g -seed %x", o.Scale, o.Seed)
	if o.Limit > 0 {
		flags += fmt.Sprintf(" -limit %v", o.Limit)
	}
	done := func(r *tally.Row) error {
		r.Flags = flags
		rows = append(rows, r)
		if o.page == "" {
			return nil
		}
		return tally.Update(o.page, []*tally.Row{r})
	}
	for _, attack := range []func() error{
		func() error { return readers.Run(ctx, o.Config, done, self, serveArgument) },
		func() error { return measuring.Kill(ctx, o.Config, done) },
		func() error { return servers.Run(ctx, o.Config, done) },
		func() error { return measuring.Disks(ctx, o.Config, done) },
		func() error { return measuring.Busy(ctx, o.Config, done, self, hogArgument) },
	} {
		if err := attack(); err != nil {
			return rows, err
		}
	}
	return rows, nil
}
