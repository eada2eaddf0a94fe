package main

import "time"

// A generator is a way of sending load.
type generator struct {
	name string
	run  func(*config) (result, error)
}

// result is what a generator did.
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

// generators returns those of the table.
func generators() []generator {
	return []generator{
		{"tare, sleep", tare("sleep", "0")},
		{"tare, hybrid", tare("hybrid", "0")},
		{"tare by net/http, sleep", tare("sleep", "1")},
		{reference, vegeta(best)},
	}
}

// measured returns the result of what run does, which counts requests.
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
