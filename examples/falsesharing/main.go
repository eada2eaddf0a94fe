// Command falsesharing measures a queue in which a word that is never written shares a cache line with one that the producer
// writes, beside the same queue with lines between, each called through an interface and directly. It prints whether that
// makes a difference on this machine. README.md continues from there and finds the instruction that waits.
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
	rates := measure(rounds, d)
	for i, k := range kinds {
		fmt.Printf("%-18s %6.1f items/µs\n", k.name, stat.Median(rates[i])/1e6)
	}
	for i := 0; i < len(kinds); i += 2 {
		fmt.Println(verdict(kinds[i].name, kinds[i+1].name, rates[i], rates[i+1]))
	}
	return nil
}
