// Command mass calls functions each of which makes very many calls of short ones, and prints what each took by the clock:
// the truth, in a build without probes, that corrected times are held against. See go -C lab run ./truth trace.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 1, "call each function `N` times")
	n := flag.Int("calls", calls, "calls that a function makes, `N`; a tenth where they are long, and Fib(17) below a million")
	flag.Parse()
	if *rounds < 1 || *n < 1 || flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "mass: -rounds %d -calls %d %v: want positive numbers, and nothing else\n", *rounds, *n, flag.Args())
		os.Exit(2)
	}
	setCalls(*n)
	for range *rounds {
		run(os.Stdout)
	}
}

// run calls each function once, and prints its name and time in ns.
func run(w io.Writer) {
	for _, s := range sections {
		begin := time.Now()
		s.run()
		fmt.Fprintln(w, s.name, time.Since(begin).Nanoseconds())
	}
}
