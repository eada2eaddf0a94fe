package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
)

// measure runs each generator once in each round, in random order. It returns the results by the name of the generator, one for each round.
func (c *config) measure(all []generator) (map[string][]result, error) {
	random := rand.New(rand.NewPCG(c.seed, 0))
	results := map[string][]result{}
	for round := range c.rounds {
		for _, i := range random.Perm(len(all)) {
			g := all[i]
			r, err := c.process(g.name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", g.name, err)
			}
			results[g.name] = append(results[g.name], r)
			fmt.Fprintf(os.Stderr, "round %d of %d: %s: %.1f µs of CPU, %.0f/s\n", round+1, c.rounds, g.name, r.CPU, r.Rate)
		}
	}
	return results, nil
}

// process runs a generator in a process of its own.
func (c *config) process(name string) (r result, err error) {
	cmd, err := self(name, "-url", c.url, "-rate", fmt.Sprint(c.rate), "-duration", c.duration.String())
	if err != nil {
		return r, err
	}
	out, err := cmd.Output()
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(out, &r)
}
