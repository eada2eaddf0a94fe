package calls_test

import (
	"fmt"
	"os"

	"github.com/tarebench/tare/internal/show/subjects/calls"
	"github.com/tarebench/tare/record"
)

// Three calls, of which two are made in the first.
func Example() {
	trace := &record.Trace{
		Mode: record.TraceExact, Clock: record.TraceCycles, Tick: 0.4, Ended: true, Binary: "m",
		Probe: record.TraceProbe{Outside: 24, Inside: 10}, Calls: 3, Goroutines: 1,
		Funcs: []record.TraceFunc{
			{Name: "main.all", Calls: 1, Timed: 1, Total: 301.2e6, Self: 1.1e6, Corrected: 301.2e6, CorrectedSelf: 1.1e6, Min: 301.2e6, Mean: 301.2e6, Max: 301.2e6},
			{Name: "main.half", Calls: 2, Timed: 2, Total: 300.1e6, Self: 300.1e6, Corrected: 300.1e6, CorrectedSelf: 300.1e6, Min: 150e6, Mean: 150.05e6, Max: 150.1e6},
		},
		Tree: []record.TraceCall{
			{Func: 0, Parent: -1, Calls: 1, Timed: 1, Total: 301.2e6, Self: 1.1e6, Corrected: 301.2e6},
			{Func: 1, Parent: 0, Calls: 2, Timed: 2, Total: 300.1e6, Self: 300.1e6, Corrected: 300.1e6},
		},
		Path: []record.TraceStep{{Func: 0, Goroutine: 1, Length: 301.2e6}, {Func: 1, Goroutine: 1, Length: 150e6}, {Func: 1, Goroutine: 1, Length: 150.1e6}},
	}
	c, err := calls.New(trace, calls.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := c.Text(os.Stdout, calls.Options{Width: 80}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// m
	// 3 calls of 2 functions of package main | 1 goroutine | each timed
	// by the processor's counter
	//
	// function  calls   total       self     min     avg     max  probe
	// half          2  300 ms  300    ms  150 ms  150 ms  150 ms    0 %
	// all           1  301 ms    1.10 ms  301 ms  301 ms  301 ms    0 %
	//
	// caller > callee  calls   total  of all
	// all                  1  301 ms   100 %
	// `- half              2  300 ms   100 %
	//
	// path: all -> half x2 (3 of 3)
	//
	// probe: 10 ns inside + 14 ns outside per timed call | calibrated at program start
	// all probes took about 72 ns, <0.1 % of the time in these functions
	// times without probes not checked: there is no run without probes
	// total, min, avg, max: raw; self: without probes; corrected: total without
	// probes, where it differs
}
