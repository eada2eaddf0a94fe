package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/tarebench/tare/record"
)

// allocs compares bytes and objects per operation with those of a known allocator, at
// 1, 10 and 1000 operations.
func allocs(ctx context.Context, c config) ([]figure, error) {
	var out []figure
	for _, n := range []int{1, 10, 1000} {
		forks, err := bench(ctx, c, "--deep", "--benchtime", fmt.Sprintf("%dx", n), "--bench", "^BenchmarkAllocate$")
		if err != nil {
			return nil, err
		}
		for _, truth := range []struct {
			unit string
			x    float64
		}{{"B/op", allocated}, {"allocs/op", 1}} {
			got, err := forks.of(record.PurposeTiming, "Allocate", truth.unit, c.forks)
			if err != nil {
				return nil, err
			}
			out = append(out, figure{name: fmt.Sprintf("N=%d  %s", n, truth.unit), unit: truth.unit, got: got, truth: slices.Repeat([]float64{truth.x}, len(got))})
		}
	}
	return out, nil
}

// allocated is the size of what BenchmarkAllocate allocates.
const allocated = 64
