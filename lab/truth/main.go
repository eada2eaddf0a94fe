package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

// experiments, in the order in which all of them run.
var experiments = []struct {
	name string
	run  func(ctx context.Context, c config) error
}{
	{"heap", medians("heap", heap)}, {"peak", medians("peak", peak)}, {"allocs", medians("allocs", allocs)},
	{"workers", medians("workers", workers)}, {"poll", medians("poll", poll)}, {"trace", traced},
}

// medians returns an experiment that prints the medians of figures.
func medians(name string, measure func(ctx context.Context, c config) ([]figure, error)) func(ctx context.Context, c config) error {
	return func(ctx context.Context, c config) error {
		figures, err := measure(ctx, c)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s, medians of %d forks\n", name, c.forks)
		return print(c.out, figures)
	}
}

// config is what the flags came to.
type config struct {
	forks  int
	repeat int
	unit   time.Duration // CPU time of one part of the workers' work
	out    io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "truth:", err)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	c := config{out: out}
	fl := flag.NewFlagSet("truth", flag.ContinueOnError)
	fl.IntVar(&c.forks, "forks", 10, "forks of each benchmark, and runs of the workers")
	fl.IntVar(&c.repeat, "repeat", 3, "repetitions of trace")
	fl.DurationVar(&c.unit, "unit", 30*time.Millisecond, "CPU time of one part of the workers' work")
	if err := fl.Parse(args); err != nil {
		return err
	}
	if c.forks < 1 || c.repeat < 1 || c.unit <= 0 {
		return fmt.Errorf("-forks %d, -repeat %d and -unit %v: all must be positive", c.forks, c.repeat, c.unit)
	}
	asked := fl.Args()
	if len(asked) == 0 {
		for _, e := range experiments {
			asked = append(asked, e.name)
		}
	}
	for _, name := range asked {
		if err := one(ctx, c, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func one(ctx context.Context, c config, name string) error {
	var names []string
	for _, e := range experiments {
		names = append(names, e.name)
		if e.name != name {
			continue
		}
		return e.run(ctx, c)
	}
	return fmt.Errorf("no such experiment; there are %s", strings.Join(names, ", "))
}
