package report_test

import (
	"os"

	"github.com/tarebench/tare/report"
	"github.com/tarebench/tare/summary"
)

func ExampleWrite() {
	s := &summary.Summary{Results: []summary.Result{{
		Pkg: "sort", Name: "SortInt1K", Procs: 2, Unit: "ns/op", Forks: 6, Confidence: 0.97,
		Interval: summary.Interval{Median: 6821.7, Lo: 6710.2, Hi: 6980.9},
		Values:   []summary.Number{6800, 6710.2, 6830, 6980.9, 6815, 6824},
	}}}
	report.Write(os.Stdout, report.Text, s, report.Options{})
	// Output:
	//                   median   95 % interval   forks in order
	// sort
	//   SortInt1K   6.82 us/op    6.71 .. 6.98   -_=#==
}
