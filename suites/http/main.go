package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"time"
)

// config has the values of the flags.
type config struct {
	role     string
	url      string
	rate     float64
	duration time.Duration
	rounds   int
	seed     uint64
	tune     bool
}

func main() {
	c := config{}
	flag.StringVar(&c.role, "role", "", "what this process is: server, or the name of a generator; default: the one that starts the others")
	flag.StringVar(&c.url, "url", "", "of the server, for a generator")
	flag.Float64Var(&c.rate, "rate", 10_000, "requests per second")
	flag.DurationVar(&c.duration, "duration", 10*time.Second, "how long one measurement sends")
	flag.IntVar(&c.rounds, "rounds", 7, "measurements of each generator; at least 6 for an interval")
	flag.Uint64Var(&c.seed, "seed", 0, "of the order; default: a random one, which is printed")
	flag.BoolVar(&c.tune, "tune", false, "compare configurations of vegeta instead (10 minutes)")
	flag.Parse()
	if c.seed == 0 {
		c.seed = rand.Uint64()
	}
	if err := c.run(); err != nil {
		fmt.Fprintln(os.Stderr, "http:", err)
		os.Exit(1)
	}
}

func (c *config) run() error {
	if err := c.check(); err != nil {
		return err
	}
	switch c.role {
	case "":
		return c.compare()
	case "server":
		return serve()
	}
	for _, g := range append(generators(), vegetas()...) {
		if g.name == c.role {
			r, err := g.run(c)
			return errors.Join(err, json.NewEncoder(os.Stdout).Encode(r))
		}
	}
	return fmt.Errorf("no generator is called %q", c.role)
}

// check returns an error for a flag whose value cannot be used.
func (c *config) check() error {
	switch {
	case flag.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	case !(c.rate >= 1): // vegeta has whole numbers, and 0 means no limit
		return fmt.Errorf("-rate %v: want 1 or more", c.rate)
	case c.duration < time.Second:
		return fmt.Errorf("-duration %v: want 1s or more", c.duration)
	case c.rounds < 1:
		return fmt.Errorf("-rounds %d: want 1 or more", c.rounds)
	}
	return nil
}

// compare measures all generators and prints the table.
func (c *config) compare() error {
	all := generators()
	if c.tune {
		all = vegetas()
	}
	server, err := startServer()
	if err != nil {
		return err
	}
	defer server.stop()
	c.url = server.url
	results, err := c.measure(all)
	if err != nil {
		return err
	}
	fmt.Print(c.table(all, results))
	return nil
}
