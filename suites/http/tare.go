package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/http"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// tare returns tare load as the command has it by default: with the time to first byte, a time limit, and workers that are added when
// one is needed. pace is how it waits. With follow 1 it would follow a redirect, so it sends by net/http.
func tare(pace load.Pace, follow string) func(*config) (result, error) {
	return func(c *config) (result, error) {
		ctx := context.Background()
		target, err := http.Open(ctx, kv.Settings{URL: c.url, OpTimeout: 10 * time.Second, Props: kv.Properties{"http.follow": follow}})
		if err != nil {
			return result{}, err
		}
		defer target.Close()
		return measured(func() (int64, int64, []float64, error) {
			total, err := load.Run(ctx, target, load.Config{
				Schedule: load.Schedule{Rate: c.rate}, AutoWorkers: true, Duration: c.duration, Pace: pace,
			}, nil)
			if err != nil {
				return 0, 0, nil, err
			}
			failed := int64(0)
			for _, n := range total.Errors {
				failed += n
			}
			late, err := lateness(total)
			return total.Completed - failed, failed, late, err
		})
	}
}

// lateness returns the median and the 99th percentile of all requests, in µs.
func lateness(total *load.Interval) ([]float64, error) {
	for _, l := range total.Latencies {
		if l.Tag == record.TagLateness {
			return []float64{float64(l.Hist.ValueAtPercentile(50)) / 1e3, float64(l.Hist.ValueAtPercentile(99)) / 1e3}, nil
		}
	}
	return nil, errors.New(fmt.Sprint("tare recorded no lateness: ", total.Load))
}
