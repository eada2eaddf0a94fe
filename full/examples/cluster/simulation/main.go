// Command simulation runs a load by agents in memory: a controller and up to thousands of agents in one process, over a
// network that loses, delays and doubles messages, with clocks that differ by hours. It prints what more agents cost the
// controller, and checks that no count is lost. The operations load nothing: each returns at once.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "simulation:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("simulation", flag.ContinueOnError)
	agents := flags.String("agents", "10,100,1000", "numbers of agents, one run each")
	rate := flags.Float64("rate", 10, "operations of each agent per second")
	duration := flags.Duration("duration", 5*time.Second, "of each run")
	seed := flags.Uint64("seed", rand.Uint64(), "of faults and clocks")
	if err := flags.Parse(args); err != nil {
		return err
	}
	fmt.Fprintf(out, "seed %d\n%7s %8s %8s %9s %10s %11s %10s %9s %6s\n", *seed,
		"agents", "joined", "started", "messages", "bytes each", "merged each", "operations", "recorded", "lost")
	for text := range strings.SplitSeq(*agents, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number of agents", text)
		}
		r, err := simulate(ctx, settings{agents: n, rate: *rate, duration: *duration, seed: *seed})
		if err != nil {
			return fmt.Errorf("%d agents, seed %d: %w", n, *seed, err)
		}
		fmt.Fprintf(out, "%7d %8s %8s %9d %8d B %11s %10d %9d %6d\n", n, shown(r.joined), shown(r.started),
			r.messages, r.bytes/max(r.messages, 1), shown(r.merge), r.sent, r.recorded, r.sent-r.recorded)
		if err := r.check(); err != nil {
			return fmt.Errorf("%d agents, seed %d: %w", n, *seed, err)
		}
	}
	return nil
}

// shown returns a time with three digits.
func shown(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.3g s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%.3g ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.3g µs", d.Seconds()*1e6)
}
