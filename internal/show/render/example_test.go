package render_test

import (
	"os"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
)

func ExampleWrite() {
	s := &result.Result{Results: []result.Benchmark{{
		Pkg: "sort", Name: "SortInt1K", Procs: 2, Unit: "ns/op", Forks: 6, Confidence: 0.97,
		Interval: result.Interval{Median: 6821.7, Lo: 6710.2, Hi: 6980.9},
		Values:   []result.Number{6800, 6710.2, 6830, 6980.9, 6815, 6824},
	}}}
	render.Write(os.Stdout, render.Text, s, render.Options{})
	// Output:
	//                   median   95 % interval   forks in order
	// sort
	//   SortInt1K   6.82 us/op    6.71 .. 6.98   -_=#==
	//
	// intervals: of this run
}
