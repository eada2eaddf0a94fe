package main

import (
	"slices"
	"strconv"
	"time"

	lib "github.com/tsenart/vegeta/v12/lib"
)

// setting is the configuration of vegeta.
type setting struct {
	workers uint64 // all of them from the start; 0 is vegeta's default: 10, and more while all are busy
	discard bool   // bodies are read and not kept
	noLimit bool   // no time limit, which takes a timer for each request
}

// best is the configuration with the least CPU time for each request that reaches the rate; see -tune.
var best = setting{workers: 16, discard: true, noLimit: true}

// vegetas returns the configurations that -tune compares.
func vegetas() []generator {
	all := []generator{{reference, vegeta(setting{})}}
	for _, n := range []uint64{2, 4, 16, 64} {
		workers := "vegeta, workers=" + strconv.FormatUint(n, 10)
		all = append(all,
			generator{workers, vegeta(setting{workers: n})},
			generator{workers + ", bodies discarded, no time limit", vegeta(setting{workers: n, discard: true, noLimit: true})})
	}
	return all
}

func (s setting) options() []func(*lib.Attacker) {
	options := []func(*lib.Attacker){lib.KeepAlive(true), lib.HTTP2(false)}
	if s.workers > 0 {
		options = append(options, lib.Workers(s.workers), lib.MaxWorkers(s.workers), lib.Connections(int(s.workers)))
	}
	if s.discard {
		options = append(options, lib.MaxBody(0))
	}
	if s.noLimit {
		options = append(options, lib.Timeout(0))
	}
	return options
}

func vegeta(s setting) func(*config) (result, error) {
	return func(c *config) (result, error) {
		return measured(func() (completed, failed int64, late []float64, err error) {
			attacker := lib.NewAttacker(s.options()...)
			targeter := lib.NewStaticTargeter(lib.Target{Method: "GET", URL: c.url})
			perSecond := lib.Rate{Freq: int(c.rate), Per: time.Second}
			sent := make([]time.Time, 0, int(c.rate*c.duration.Seconds())+1)
			for r := range attacker.Attack(targeter, perSecond, c.duration, "") {
				if r.Error != "" || r.Code != 200 {
					failed++
				} else {
					completed++
				}
				for uint64(len(sent)) <= r.Seq {
					sent = append(sent, time.Time{})
				}
				sent[r.Seq] = r.Timestamp
			}
			return completed, failed, behind(sent, c.rate), nil
		})
	}
}

// behind returns the median and the 99th percentile of how late requests were sent, in µs. vegeta does not tell when it began, so its
// earliest request counts as being in time.
func behind(sent []time.Time, rate float64) []float64 {
	late := make([]float64, 0, len(sent))
	for i, at := range sent {
		if !at.IsZero() {
			late = append(late, at.Sub(sent[0]).Seconds()*1e6-float64(i)/rate*1e6)
		}
	}
	if len(late) == 0 {
		return []float64{0, 0}
	}
	earliest := slices.Min(late)
	for i := range late {
		late[i] -= earliest
	}
	return middleAndMost(late)
}
