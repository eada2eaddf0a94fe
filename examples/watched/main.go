// Command watched is to be watched: nine calls whose lengths are known, and very many
// of nothing. Counting sees all of them and is in the way of the latter; looking every
// 10 ms costs next to nothing and does not see the short ones. README.md has the
// commands, and what comes out.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

const defaultMass = 100_000_000

func main() {
	n := flag.Int("mass", defaultMass, "make `N` calls of nothing; 0: only the nine")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "watched: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(os.Stdout, &Demo{time.Sleep}, *n); err != nil {
		fmt.Fprintln(os.Stderr, "watched:", err)
		os.Exit(2)
	}
}

// run makes the calls and prints what they took together: the figures that watching is
// measured against.
func run(w io.Writer, d *Demo, n int) error {
	if n < 0 {
		return fmt.Errorf("--mass %d: want 0 or more", n)
	}
	begin := time.Now()
	nine(d)
	middle := time.Now()
	mass(d, n)
	end := time.Now()
	fmt.Fprintf(w, "nine calls: %.1f ms\n", middle.Sub(begin).Seconds()*1e3)
	if n > 0 {
		took := end.Sub(middle)
		fmt.Fprintf(w, "%d calls of nothing: %.3f s, %.2f ns each\n", n, took.Seconds(), float64(took.Nanoseconds())/float64(n))
	}
	return nil
}
