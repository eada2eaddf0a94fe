package main

import (
	"context"
	"fmt"
	"math"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// poll holds the time that reading at the ends of the collector's cycles took
// against a hundredth of the window, and prints how much slower the forks with it
// were than those without.
func poll(ctx context.Context, c config) ([]figure, error) {
	const name, own = "Churn", "own-ns"
	forks, err := bench(ctx, c, "--prof", "mem", "--time", "200ms", "--bench", "^BenchmarkChurn$")
	if err != nil {
		return nil, err
	}
	share, err := forks.of("mem", name, "mem-poll-share", c.forks)
	if err != nil {
		return nil, err
	}
	with, err := forks.of("mem", name, own, c.forks)
	if err != nil {
		return nil, err
	}
	without, err := forks.of(record.PurposeTiming, name, own, c.forks)
	if err != nil {
		return nil, err
	}
	e := stat.MedianInterval(stat.LogRatios(without, with), stat.DefaultConfidence)
	fmt.Fprintf(c.out, "an operation took %.3f times as long with polling as in the fork before it without (%.3f … %.3f)\n",
		math.Exp(e.Median), math.Exp(e.Lo), math.Exp(e.Hi))
	return []figure{{name: name + "  polling's share of time", unit: "%", got: share, truth: []float64{0.01}, most: true}}, nil
}
