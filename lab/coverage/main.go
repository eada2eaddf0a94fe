// Command coverage simulates how often the interval of a comparison holds the true
// ratio, for fork values of shapes that benchmarks have, and prints the table
// that docs/method.md shows:
//
//	go -C lab run ./coverage -runs 5000 -seed 1 -resamples 1000
//
// Each row draws both sides that often with a true ratio of 1 and again with
// 1.05, and asks stat.Compare for the Hodges–Lehmann interval, the bootstrap
// interval of the ratio of medians, and the verdict. The same flags give the same
// table.
//
// With -savage it prints what stat.CompareForks calls on recorded forks, beside the U test, and with -undisturbed the
// coverage of its interval by simulation:
//
//	go -C lab run ./coverage -savage -runs 1000 -seed 1
//	go -C lab run ./coverage -undisturbed -runs 400 -seed 1
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

// config holds the flags.
type config struct {
	runs, resamples int
	seed            uint64
	savage          bool
	undisturbed     bool
}

// parse reads the flags. The test also parses the command in the document with it.
func parse(args []string) (config, error) {
	var c config
	fl := flag.NewFlagSet("coverage", flag.ContinueOnError)
	fl.IntVar(&c.runs, "runs", 5000, "simulated comparisons for each row and ratio")
	fl.Uint64Var(&c.seed, "seed", 1, "of all draws")
	fl.IntVar(&c.resamples, "resamples", 1000, "of each bootstrap; tare itself takes 10000")
	fl.BoolVar(&c.savage, "savage", false, "what the test that knows that noise only slows calls on recorded forks")
	fl.BoolVar(&c.undisturbed, "undisturbed", false, "the coverage of the interval of that test")
	err := fl.Parse(args)
	if err == nil && (fl.NArg() > 0 || c.runs < 1 || c.resamples < 1) {
		err = fmt.Errorf("coverage: %q: want no arguments, and -runs and -resamples of at least 1", args)
		fmt.Fprintln(fl.Output(), err)
	}
	return c, err
}

// command returns the command for the same table.
func (c config) command() string {
	if c.savage {
		return fmt.Sprintf("go -C lab run ./coverage -savage -runs %d -seed %d", c.runs, c.seed)
	}
	if c.undisturbed {
		return fmt.Sprintf("go -C lab run ./coverage -undisturbed -runs %d -seed %d", c.runs, c.seed)
	}
	return fmt.Sprintf("go -C lab run ./coverage -runs %d -seed %d -resamples %d", c.runs, c.seed, c.resamples)
}

// recordedForks are the forks a side in the table of recorded forks.
const recordedForks = 20

func main() {
	c, err := parse(os.Args[1:])
	if err == flag.ErrHelp {
		return
	}
	if err != nil { // parse has printed the error
		os.Exit(2)
	}
	start := time.Now()
	if c.savage {
		recorded, err := renderRecorded(c, recordedForks)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Print(recorded)
	} else if c.undisturbed {
		fmt.Print(renderUndisturbed(c))
	} else {
		fmt.Print(render(c, simulate(c)))
	}
	fmt.Fprintln(os.Stderr, "coverage: took", time.Since(start).Round(time.Second))
}
