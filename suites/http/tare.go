package main

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/http"
	"github.com/tarebench/tare/load/kv"
)

// tare returns a generator that is tare load with the defaults of the command: the time to first byte is measured, a request has a
// time limit, and workers are added while requests are late. pace is that of --pace. With follow "1" requests are sent by net/http,
// because a redirect would be followed.
func tare(pace load.Pace, follow string) func(*config) (result, error) {
	return func(c *config) (result, error) {
		ctx := context.Background()
		target, err := http.Open(ctx, kv.Settings{URL: c.url, OpTimeout: 10 * time.Second, Props: kv.Properties{"http.follow": follow}})
		if err != nil {
			return result{}, err
		}
		defer target.Close()
		late := newLateness(c)
		return measured(func() (int64, int64, []float64, error) {
			total, err := load.Run(ctx, target, load.Config{
				Schedule: load.Schedule{Rate: c.rate}, AutoWorkers: true, Duration: c.duration, Pace: pace, Observe: late.observe,
			}, nil)
			if err != nil {
				return 0, 0, nil, err
			}
			failed := int64(0)
			for _, n := range total.Errors {
				failed += n
			}
			return total.Completed - failed, failed, late.percentiles(), nil
		})
	}
}

// lateness collects how late requests were sent, in µs: all of them, also those for which no worker was waiting.
type lateness struct {
	of   []float64
	next atomic.Int64
}

func newLateness(c *config) *lateness {
	return &lateness{of: make([]float64, int(c.rate*c.duration.Seconds())+1)}
}

// observe takes the request itself, which has kind 0, and not the time to first byte.
func (l *lateness) observe(o load.Operation) {
	if o.Kind == 0 {
		l.of[l.next.Add(1)-1] = float64(o.Start-o.Due) / 1e3
	}
}

// percentiles returns the median and the 99th percentile; zeros without requests.
func (l *lateness) percentiles() []float64 {
	if n := l.next.Load(); n > 0 {
		return middleAndMost(l.of[:n])
	}
	return []float64{0, 0}
}
