package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/tarebench/tare/stat"
)

const (
	nominal = 0.95
	shift   = 1.05  // the other true ratio
	sure    = 0.999 // confidence from which a rate is called too low or too high: there are many
)

// sizes are the forks per side.
var sizes = []int{6, 10, 20, 40}

// row is the result of the simulation of one scenario at one size.
type row struct {
	scenario
	n, runs   int
	stated    float64 // coverage that the Hodges–Lehmann interval says it has
	hl, boot  interval
	different int // called faster or slower although the ratio is 1
	found     int // called slower, and the ratio is 1.05
	equal     int // called equivalent although the ratio is 1.05
}

// interval counts for one kind of interval.
type interval struct {
	held  [2]int  // runs in which it held the true ratio, at ratio 1 and at shift
	width float64 // sum of log(hi/lo) at ratio 1
}

func (iv *interval) add(i int, lo, hi, truth float64) {
	const slack = 1e-12 // where values tie, a bound can be the truth but for its last bits
	if lo*(1-slack) <= truth && truth <= hi*(1+slack) {
		iv.held[i]++
	}
	if i == 0 {
		iv.width += math.Log(hi / lo)
	}
}

func simulate(c config) (rows []row) {
	for i, s := range scenarios {
		for _, n := range sizes {
			r := row{scenario: s, n: n, runs: c.runs}
			r.simulate(c, rand.New(rand.NewPCG(c.seed, uint64(i)<<32|uint64(n))))
			rows = append(rows, r)
		}
	}
	return rows
}

func (r *row) simulate(c config, rnd *rand.Rand) {
	old, new := make([]float64, r.n), make([]float64, r.n)
	for i, truth := range []float64{1, shift} {
		for range c.runs {
			r.draw(rnd, truth, old, new)
			x := stat.Compare(old, new, stat.Options{Confidence: nominal, Resamples: c.resamples, Seed: rnd.Uint64()})
			r.stated = x.Confidence
			r.hl.add(i, x.Lo, x.Hi, truth*cmp.Or(r.pairs, 1))
			r.boot.add(i, x.BootstrapLo, x.BootstrapHi, truth*cmp.Or(r.medians, 1))
			switch {
			case i == 0 && (x.Verdict == stat.Faster || x.Verdict == stat.Slower):
				r.different++
			case i == 1 && x.Verdict == stat.Slower:
				r.found++
			case i == 1 && x.Verdict == stat.Equivalent:
				r.equal++
			}
		}
	}
}

var header = strings.Split("fork values|n|stated|HL at 1|HL at 1.05|width|bootstrap at 1|bootstrap at 1.05|width|"+
	"called different at 1|called slower at 1.05", "|")

// render returns the table and the texts around it in Markdown.
func render(c config, rows []row) string {
	lines := []string{"`" + c.command() + "`", "", line(header), "| --- " + strings.Repeat("| ---: ", len(header)-1) + "|"}
	short, equal := []string{}, 0
	for _, r := range rows {
		cells, names := r.cells()
		lines = append(lines, line(cells))
		if len(names) > 0 {
			short = append(short, fmt.Sprintf("* %s, n = %d: %s", r.name, r.n, strings.Join(names, ", ")))
		}
		equal += r.equal
	}
	lines = append(lines, "", fmt.Sprintf("Called equivalent although the true ratio is 1.05: %d of %d comparisons.", equal, len(rows)*c.runs),
		"", fmt.Sprintf("Shortfalls beyond chance: %d of %d rows (▼ coverage below 95 %%, ▲ false alarms above 5 %%).", len(short), len(rows)), "")
	return strings.Join(append(lines, short...), "\n") + "\n"
}

func line(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

// cells returns the cells of a row, and the names of those that fall short.
func (r row) cells() (cells, short []string) {
	cells = []string{r.name, fmt.Sprint(r.n), fmt.Sprintf("%.1f", 100*r.stated)}
	add := func(x int, bad bool, mark string) {
		text := rate(x, r.runs)
		if bad {
			short = append(short, fmt.Sprintf("%s %.1f %%", header[len(cells)], 100*float64(x)/float64(r.runs)))
			text += mark
		}
		cells = append(cells, text)
	}
	for _, iv := range []interval{r.hl, r.boot} {
		for _, x := range iv.held {
			add(x, stat.ClopperPearson(x, r.runs, sure).Hi < nominal, " ▼")
		}
		cells = append(cells, r.width(iv))
	}
	if r.pairs == 0 {
		add(r.different, stat.ClopperPearson(r.different, r.runs, sure).Lo > 1-nominal, " ▲")
	} else {
		cells = append(cells, "–") // the sides do differ
	}
	add(r.found, false, "")
	return cells, short
}

// rate formats x of n in percent ± half of its 95 % interval, the simulation's error.
func rate(x, n int) string {
	e := stat.ClopperPearson(x, n, 0.95)
	return fmt.Sprintf("%.1f ± %.1f", 100*e.Value, 50*(e.Hi-e.Lo))
}

// width returns the geometric mean of hi/lo, less 1, in percent.
func (r row) width(iv interval) string {
	w := 100 * math.Expm1(iv.width/float64(r.runs))
	return fmt.Sprintf("%.*f", max(0, 1-int(math.Floor(math.Log10(max(w, 0.01))))), w)
}
