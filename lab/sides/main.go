// Command sides compares a server with itself, again and again, and prints how often tare calls the two different; or
// with one that is slower, and prints how often tare finds that:
//
//	go -C lab run ./sides -runs 60 -duration 60s -dir /tmp/same
//	go -C lab run ./sides -runs 20 -duration 5m -slower 0.10 -dir /tmp/slower
//
// Each run is one tare load of two servers, which are started several times each. They answer 1000 requests a second after
// times that are distributed lognormally, with a median of 2 ms; those of the slower one that are beyond the 95th percentile
// are longer by the share that -slower says.
//
// Records stay in the directory. With -runs 0 those that are there are judged alone, and nothing is measured.
// With -replays more runs are put together from the starts of those that were measured, drawn at random, and judged.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// config holds the flags.
type config struct {
	runs, replays, starts int
	rate                  float64
	duration              time.Duration
	slower                float64 // a share
	dir, tare             string
	seed                  uint64
}

func parse(args []string) (config, error) {
	var c config
	fl := flag.NewFlagSet("sides", flag.ContinueOnError)
	fl.IntVar(&c.runs, "runs", 60, "comparisons to measure; 0: judge the records that are there")
	fl.IntVar(&c.replays, "replays", 0, "further runs, of starts drawn from those that were measured")
	fl.IntVar(&c.starts, "starts", 8, "how often both servers are started in a run")
	fl.Float64Var(&c.rate, "rate", 1000, "requests a second")
	fl.DurationVar(&c.duration, "duration", time.Minute, "of a run")
	fl.Float64Var(&c.slower, "slower", 0, "share by which the slowest 5 % of the second server's answers are later")
	fl.StringVar(&c.dir, "dir", "sides", "`directory` for the records")
	fl.StringVar(&c.tare, "tare", "tare", "the `command`")
	fl.Uint64Var(&c.seed, "seed", 1, "of what is drawn")
	err := fl.Parse(args)
	if err == nil && (fl.NArg() > 0 || c.runs < 0 || c.replays < 0 || c.starts < 1 || c.slower < 0 || c.duration <= 0 || c.rate <= 0) {
		err = fmt.Errorf("sides: %q: want no arguments, counts and a share of at least 0, and at least one start", args)
		fmt.Fprintln(fl.Output(), err)
	}
	return c, err
}

func main() {
	c, err := parse(os.Args[1:])
	if err == flag.ErrHelp {
		return
	}
	if err != nil { // parse has printed the error
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, c); err != nil {
		fmt.Fprintln(os.Stderr, "sides:", err)
		os.Exit(1)
	}
}

// run measures, and then judges what was measured, also where measuring ended early.
func run(ctx context.Context, c config) error {
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return err
	}
	measured := measure(ctx, c)
	runs, err := readRuns(c.dir)
	if err != nil {
		return err
	}
	fmt.Println("measured:")
	tally(runs).print(os.Stdout)
	if c.replays > 0 && len(runs) > 0 {
		fmt.Printf("\nput together from %d runs, seed %d:\n", len(runs), c.seed)
		tally(replay(runs, c)).print(os.Stdout)
	}
	return measured
}
