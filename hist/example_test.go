package hist_test

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"github.com/tarebench/tare/hist"
)

// The recipe: two workers, an interval of both, and what a report says of it.
func Example() {
	workers := []*hist.Recorder{hist.NewRecorder(hist.Config{}), hist.NewRecorder(hist.Config{})}

	// 1. Each worker records into its own, here 1 to 10,000 µs in nanoseconds.
	var wg sync.WaitGroup
	for n, r := range workers {
		wg.Go(func() {
			for us := int64(n + 1); us <= 10_000; us += 2 {
				r.Record(us * 1000)
			}
		})
	}
	wg.Wait()

	// 2. Once per interval, and while they go on recording, somebody takes what
	// all of them have.
	var interval hist.Histogram
	for _, r := range workers {
		r.Swap(&interval)
	}

	// 3. The report.
	p := interval.Percentiles()
	fmt.Printf("%d operations, %v to %v\n", p.Count, time.Duration(p.Min), time.Duration(p.Max))
	fmt.Printf("p50 %.2f ms, p99 %.2f ms\n", float64(p.P50)/1e6, float64(p.P99)/1e6)
	fmt.Printf("p99.99 %.2f ms, with %d operation beyond it\n", float64(p.P9999)/1e6, p.Beyond(99.99))
	// Output:
	// 10000 operations, 1µs to 10ms
	// p50 5.00 ms, p99 9.90 ms
	// p99.99 10.00 ms, with 1 operation beyond it
}

// Three values of each operation, cut at the same one.
func ExampleRecorders() {
	rs := hist.NewRecorders(3, hist.Config{})
	rs.Record(1500, 1200, 300) // response, service, lateness
	rs.Record(2500, 1100, 1400)

	var response, service, lateness hist.Histogram
	rs.Swap(&response, &service, &lateness)
	fmt.Println(response.Count(), service.Count(), lateness.Count())
	fmt.Println(response.Max(), service.Max(), lateness.Max())
	// Output:
	// 2 2 2
	// 2500 1200 1400
}

func ExampleHistogram_Buckets() {
	var h hist.Histogram
	for _, v := range []int64{12, 12, 5000, 5001, 5003, 1_000_000} {
		h.Record(v)
	}
	for b, n := range h.Buckets() {
		fmt.Printf("%7d to %7d: %d\n", b.Lowest, b.Highest, n)
	}
	// Output:
	//      12 to      12: 2
	//    5000 to    5003: 3
	//  999936 to 1000447: 1
}

// A loop that should have sent a request each millisecond had to wait for one of
// them for ten, and did not send the nine that were due in the meantime.
func ExampleHistogram_Correct() {
	var h hist.Histogram
	for range 90 {
		h.Record(1_000_000)
	}
	h.Record(10_000_000)

	c, err := h.Correct(1_000_000)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("as recorded: %d values, p95 %.0f ms\n", h.Count(), float64(h.ValueAtPercentile(95))/1e6)
	fmt.Printf("corrected: %d values, p95 %.0f ms\n", c.Count(), float64(c.ValueAtPercentile(95))/1e6)
	// Output:
	// as recorded: 91 values, p95 1 ms
	// corrected: 100 values, p95 5 ms
}

// A log that HdrHistogram's HistogramLogProcessor reads, and how it is read here.
func ExampleLogWriter() {
	var file bytes.Buffer
	start := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	w := hist.NewLogWriter(&file, hist.LogConfig{Start: start, Base: start})
	for second := range 4 {
		var h hist.Histogram
		h.RecordN(int64(second+1)*1_000_000, 100)
		err := w.Write(hist.Interval{
			Tag:       "READ",
			Start:     start.Add(time.Duration(second) * time.Second),
			Length:    time.Second,
			Histogram: &h,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
	}

	r := hist.NewLogReader(&file, "example.hlog")
	r.Between(time.Second, 2*time.Second)
	var sum hist.Histogram
	for i, err := range r.All() {
		if err == nil {
			err = sum.Merge(i.Histogram)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %s +%v: max %.3f ms\n", i.Tag, i.Start.Format(time.TimeOnly), i.Length, i.Max)
	}
	if n, err := r.Skipped(); n > 0 {
		fmt.Printf("%d lines skipped, first %v\n", n, err)
	}
	fmt.Println(sum.Count(), "values in both")
	// Output:
	// READ 12:00:01 +1s: max 2.000 ms
	// READ 12:00:02 +1s: max 3.000 ms
	// 200 values in both
}
