package stat_test

import (
	"fmt"
	"math"

	"github.com/tarebench/tare/stat"
)

// The recipe: ten interleaved forks of each side, three iterations in each.
func Example() {
	old := [][]float64{ // ns/op
		{102, 101, 101}, {99, 98, 99}, {103, 102, 102}, {100, 100, 101}, {98, 97, 97},
		{101, 102, 101}, {104, 103, 103}, {99, 100, 100}, {97, 96, 96}, {105, 106, 105},
	}
	new := [][]float64{
		{93, 92, 92}, {91, 90, 90}, {95, 94, 94}, {89, 89, 88}, {92, 93, 93},
		{90, 91, 91}, {94, 95, 95}, {88, 87, 87}, {97, 96, 97}, {92, 91, 92},
	}

	// 1. One value per fork.
	var a, b []float64
	for i := range old {
		a, b = append(a, stat.Median(old[i])), append(b, stat.Median(new[i]))
	}

	// 2. Is the side to be trusted?
	fmt.Printf("drift p = %.2f, two groups: %v, ICC %.2f\n",
		stat.MannKendall(a).P, stat.Bimodal(a).Convincing, stat.OneWay(old).ICC)

	// 3. Each side with its interval.
	m := stat.MedianInterval(a, 0.95)
	fmt.Printf("old %.1f ns, %.0f … %.0f at %.1f %%\n", m.Median, m.Lo, m.Hi, 100*m.Confidence)

	// 4. The comparison.
	c := stat.Compare(a, b, stat.Options{})
	fmt.Printf("%s: %.3f, %.3f … %.3f (p = %.5f)\n", c.Verdict, c.Ratio, c.Lo, c.Hi, c.P)

	// Output:
	// drift p = 0.86, two groups: false, ICC 0.96
	// old 100.5 ns, 97 … 103 at 97.9 %
	// faster: 0.918, 0.891 … 0.942 (p = 0.00003)
}

func ExampleMedianInterval() {
	forks := []float64{297.1, 303.4, 299.0, 301.7, 298.2}
	fmt.Println(stat.MedianInterval(forks, 0.95)) // five are too few
	fmt.Println(stat.MinSamples(0.95), stat.MinSamples(0.99), stat.MinSamples(0.999))
	fmt.Println(stat.MedianInterval(append(forks, 300.5), 0.95))
	// Output:
	// {299 -Inf +Inf 0}
	// 6 8 11
	// {299.75 297.1 303.4 0.96875}
}

func ExampleBimodal() {
	forks := []float64{299, 295, 452, 301, 296, 298, 448, 297, 300, 294, 455, 298}
	s := stat.Bimodal(forks)
	fmt.Printf("%v: %d near %.0f, %d near %.0f\n", s.Convincing, s.Low.N, s.Low.Centre, s.High.N, s.High.Centre)
	// Output: true: 9 near 298, 3 near 452
}

func ExampleAdjust() {
	a := []float64{100, 101, 102, 103, 104, 105}
	table := []stat.Comparison{
		stat.Compare(a, []float64{110, 111, 112, 113, 114, 115}, stat.Options{}),
		stat.Compare(a, []float64{102.5, 104.5, 105.2, 105.5, 106, 107}, stat.Options{}),
		stat.Compare(a, []float64{100.5, 101.5, 102.5, 103.5, 104.5, 101}, stat.Options{}),
	}
	for i, c := range stat.Adjust(table, stat.Holm) {
		fmt.Printf("%s (p %.3f), in the family %s (p %.3f)\n", table[i].Verdict, table[i].P, c.Verdict, c.AdjustedP)
	}
	// Output:
	// slower (p 0.002), in the family slower (p 0.006)
	// slower (p 0.026), in the family undecided (p 0.052)
	// equivalent (p 0.853), in the family equivalent (p 0.853)
}

func ExampleInterimAnalyses() {
	for _, l := range stat.InterimAnalyses(80, 0.95) {
		fmt.Printf("%d forks at %.4f\n", l.Forks, l.Confidence)
	}
	// Output:
	// 10 forks at 0.9875
	// 20 forks at 0.9875
	// 40 forks at 0.9875
	// 80 forks at 0.9875
}

// An A/A run called two equal binaries different in 28 of 48 trials.
func ExampleClopperPearson() {
	e := stat.ClopperPearson(28, 48, 0.95)
	fmt.Printf("%.0f %%, %.0f … %.0f %%\n", 100*e.Value, 100*e.Lo, 100*e.Hi)
	// Output: 58 %, 43 … 72 %
}

// Forks that take 0.5 s to start, and differ more than their iterations of 0.1 s.
func ExampleOneWay() {
	s := stat.OneWay([][]float64{{100, 101, 99}, {120, 122, 121}, {95, 94, 97}, {108, 107, 108}})
	fmt.Printf("within %.1f %%, between %.1f %%, ICC %.2f\n", 100*s.Within, 100*s.Between, s.ICC)
	fmt.Printf("12 iterations are worth %.1f values; best: %.0f per fork\n",
		s.EffectiveValues(4, 3), s.OptimalIterations(0.5, 0.1))
	// Output:
	// within 1.1 %, between 10.4 %, ICC 0.99
	// 12 iterations are worth 4.0 values; best: 1 per fork
}

// A sort at six sizes, five forks each; every call costs 120 ns besides.
func ExampleFitComplexity() {
	var sizes []stat.Sized
	for _, n := range []float64{10, 100, 1000, 1e4, 1e5, 1e6} {
		s := stat.Sized{N: n}
		for _, luck := range []float64{0.99, 1.02, 1, 0.98, 1.01} { // ns/op
			s.Values = append(s.Values, luck*(120+2.4*n*math.Log2(n)))
		}
		sizes = append(sizes, s)
	}
	c := stat.FitComplexity(sizes, stat.ComplexityOptions{})
	fmt.Printf("%s: %.2f ns × n·log₂n + %.0f ns, rms %.1f %%\n", c.Curve, c.Fit.Coefficient, c.Fit.Fixed, 100*c.Fit.RMS)
	fmt.Printf("coefficient %.2f … %.2f, chosen in %.0f %% of %d resamplings\n", c.Lo, c.Hi, 100*c.Share, c.Resamples)

	// Three sizes are too few to distinguish curves.
	fmt.Println(stat.FitComplexity(sizes[:3], stat.ComplexityOptions{}).Obstacle)
	// Output:
	// n log n: 2.40 ns × n·log₂n + 120 ns, rms 0.0 %
	// coefficient 2.38 … 2.42, chosen in 100 % of 1000 resamplings
	// few-sizes
}
