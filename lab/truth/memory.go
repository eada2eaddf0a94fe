package main

import "context"

// heap holds what is settled, and what is in use after one collection, against
// the weight that the subject itself tells.
func heap(ctx context.Context, c config) ([]figure, error) {
	forks, err := bench(ctx, c, "--prof", "mem", "--time", "20ms", "--bench", "^Benchmark(Map|Pointers)$")
	if err != nil {
		return nil, err
	}
	var out []figure
	for _, name := range []string{"Map", "Pointers"} {
		settled, err := growth(forks, name, "usedHeap_settled-B", "usedHeap_baseline-B", 0.001, c.forks)
		if err != nil {
			return nil, err
		}
		fin, err := growth(forks, name, "usedMem_fin-B", "usedMem_baseline-B", 0.08, c.forks)
		if err != nil {
			return nil, err
		}
		out = append(out, settled, fin)
	}
	return out, nil
}

// peak holds the peak of resident memory against a mapping of known size.
func peak(ctx context.Context, c config) ([]figure, error) {
	forks, err := bench(ctx, c, "--prof", "mem", "--benchtime", "1x", "--bench", "^BenchmarkMapped$")
	if err != nil {
		return nil, err
	}
	hwm, err := growth(forks, "Mapped", "VmHWM-B", "VmRSS_baseline-B", 0.03, c.forks)
	return []figure{hwm}, err
}

// growth returns a figure less what it was before the benchmark began.
func growth(forks measured, name, unit, before string, aim float64, n int) (figure, error) {
	f := figure{name: name + "  " + unit, unit: "MB", aim: aim}
	got, err := forks.of("mem", name, unit, n)
	if err != nil {
		return f, err
	}
	base, err := forks.of("mem", name, before, n)
	if err != nil {
		return f, err
	}
	f.got = less(got, base)
	f.truth, err = forks.of("mem", name, "truth-B", n)
	return f, err
}
