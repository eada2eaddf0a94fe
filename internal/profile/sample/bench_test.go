package sample_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/record"
)

// BenchmarkLooks measures what a program loses that is looked at every 10 ms: the same
// work, looked at and not, by turns. The ratios are of medians over the pairs, of the time it took
// and of the CPU time that it used; share is what the looks say of themselves.
//
//	go test ./internal/profile/sample -run '^$' -bench Looks -benchtime 15x
func BenchmarkLooks(b *testing.B) {
	const spins = "4000" // of some 0.2 ms
	for _, mode := range []string{record.SampledWall, record.SampledCPU} {
		for _, goroutines := range []int{10, 10_000} {
			b.Run(fmt.Sprintf("mode=%s/goroutines=%d", mode, goroutines), func(b *testing.B) {
				path := watched(b)
				l, err := spawn.Start(b.Context(), spawn.Config{})
				if err != nil {
					b.Fatal(err)
				}
				defer l.Close()
				spec := spawn.Spec{Path: path, Args: []string{"work", strconv.Itoa(goroutines), spins}}
				var wall, cpu [2][]time.Duration
				var share, looks []float64
				for range b.N {
					run, err := sample.Command(b.Context(), l, spec, sample.Config{Mode: mode})
					if err != nil {
						b.Fatal(err)
					}
					plain, err := l.Run(b.Context(), spec)
					if err != nil {
						b.Fatal(err)
					}
					for i, p := range []spawn.Result{run.Process, plain} {
						wall[i] = append(wall[i], p.Wall())
						cpu[i] = append(cpu[i], p.User+p.Sys)
					}
					share = append(share, run.How.Cost)
					looks = append(looks, float64(run.How.Samples)/run.Process.Wall().Seconds())
				}
				b.ReportMetric(float64(median(wall[0]))/float64(median(wall[1])), "wall-ratio")
				b.ReportMetric(float64(median(cpu[0]))/float64(median(cpu[1])), "cpu-ratio")
				b.ReportMetric(median(share), "share")
				b.ReportMetric(median(looks), "looks/s")
			})
		}
	}
}

func median[T time.Duration | float64](xs []T) T {
	slices.Sort(xs)
	return xs[len(xs)/2]
}
