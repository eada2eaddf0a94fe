// Command falsesharing measures a queue whose fields lie close together beside one with
// cache lines between them, and prints whether that makes a difference on this
// machine. README.md continues from there and finds the instruction that waits.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/tarebench/tare/stat"
)

func main() {
	rounds := flag.Int("rounds", 21, "measure each kind in so many `rounds`, by turns")
	d := flag.Duration("d", 100*time.Millisecond, "`duration` of one exchange")
	flag.Parse()
	if err := run(*rounds, *d); err != nil {
		fmt.Fprintln(os.Stderr, "falsesharing:", err)
		os.Exit(1)
	}
}

func run(rounds int, d time.Duration) error {
	need := stat.MinSamples(confidence)
	switch {
	case rounds < need:
		return fmt.Errorf("%d rounds: an interval of %g %% needs at least %d", rounds, 100*confidence, need)
	case d <= 0:
		return fmt.Errorf("duration %v: must be above 0", d)
	case runtime.GOMAXPROCS(0) < 2:
		fmt.Println("not observable here: the two sides never run at the same time, because GOMAXPROCS is 1")
		return nil
	}
	denseRates, paddedRates := measure(rounds, d)
	fmt.Printf("dense   %7.1f items/µs\n", stat.Median(denseRates)/1e6)
	fmt.Printf("padded  %7.1f items/µs\n", stat.Median(paddedRates)/1e6)
	fmt.Println(verdict(denseRates, paddedRates))
	return nil
}
