package queues_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tarebench/tare/bench"
	"github.com/tarebench/tare/suites/queues"
)

// inJava is what one run of the Java program has said, once in each process.
type inJava struct {
	before, after float64 // LineNs
	value         float64
	unit          string
}

// BenchmarkJCTools runs the same loops on JCTools, as a child process. The figure is
// consumer-op/s or sender-ns/op, as of the Go queues.
func BenchmarkJCTools(b *testing.B) {
	program, err := queues.NewJCTools()
	if errors.Is(err, queues.ErrNoJava) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	const capacity = 1024
	for _, c := range queues.JavaCases() {
		name := fmt.Sprintf("capacity=%d/elem=ptr/parties=%dto%d/queue=%s/how=%s/wait=%s", capacity, c.Producers, c.Consumers, c.Queue, c.How, c.Wait)
		b.Run(name, func(b *testing.B) {
			r := bench.Trial(b, func() (r inJava, err error) {
				r.before = queues.LineNs()
				r.value, r.unit, err = program.Run(c, capacity)
				r.after = queues.LineNs()
				return r, err
			}, nil)
			b.ReportMetric(r.before, "line-before-ns")
			b.ReportMetric(r.after, "line-after-ns")
			if r.unit == "op/s" {
				b.ReportMetric(r.value, "consumer-op/s")
				b.ReportMetric(1e9/r.value, "ns/op")
				return
			}
			b.ReportMetric(r.value, "sender-ns/op")
			b.ReportMetric(r.value, "ns/op")
		})
	}
}
