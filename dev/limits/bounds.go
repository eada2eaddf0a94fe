//go:build unix

package main

// bound is what the machine allows: a figure of a benchmark in this package.
type bound struct {
	name, of, metric string
	figure
}

// bounds measures what the machine allows.
func (l *lab) bounds() ([]bound, error) {
	all := []bound{
		{name: "reading the counter", of: "Bounds/counter", metric: "ns/op"},
		{name: "an exchange with memory (XCHG)", of: "Bounds/exchange", metric: "ns/op"},
		{name: "a cache line, there and back between two goroutines", of: "Bounds/transfer", metric: "ns/op"},
		{name: "waking up by a timer after 1 ms, lateness", of: "Bounds/wake", metric: "late-ns"},
	}
	res, err := l.benchmarks("bounds", "dev", "./limits", "^BenchmarkBounds$")
	if err != nil {
		return nil, err
	}
	for i := range all {
		b, err := find(res, all[i].of, "")
		if err != nil {
			return nil, err
		}
		if all[i].figure, err = metricOf(b, all[i].metric); err != nil {
			return nil, err
		}
	}
	return all, nil
}
