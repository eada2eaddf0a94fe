package main

import (
	"slices"
	"time"
)

// A generator is a load generator in one configuration.
type generator struct {
	name string
	run  func(*config) (result, error)
}

// result is one measurement of a generator.
type result struct {
	Completed int64   // requests that were answered as expected
	Failed    int64   // others
	Rate      float64 // requests completed per second
	CPU       float64 // µs of the process for each request that was completed
	Late50    float64 // µs after a request was due until it was sent: median
	Late99    float64 // and 99th percentile
}

// reference is the generator to which the others are compared.
const reference = "vegeta"

// generators returns the rows of the table.
func generators() []generator {
	return []generator{
		{"tare, sleep", tare("sleep", "0")},
		{"tare, hybrid", tare("hybrid", "0")},
		{"tare by net/http, sleep", tare("sleep", "1")},
		{reference, vegeta(best)},
	}
}

// measured runs a generator, and returns its counts with the CPU time and the rate.
func measured(run func() (completed, failed int64, late []float64, err error)) (result, error) {
	before, began := cpuTime(), time.Now()
	completed, failed, late, err := run()
	seconds, took := time.Since(began).Seconds(), cpuTime()-before
	if err != nil || completed == 0 {
		return result{Failed: failed}, err
	}
	n := float64(completed)
	return result{Completed: completed, Failed: failed, Rate: n / seconds, CPU: took / n, Late50: late[0], Late99: late[1]}, nil
}

// middleAndMost returns the median and the 99th percentile.
func middleAndMost(xs []float64) []float64 {
	slices.Sort(xs)
	return []float64{xs[len(xs)/2], xs[len(xs)*99/100]}
}
