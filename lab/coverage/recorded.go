package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/stat"
)

// The recorded forks, in the folder of package stat: a line for each benchmark, its name and the forks in the order in
// which they ran, of each its measured iterations in ns/op.
//
//   - forks.csv: 200 forks of a quiet machine, of each the median alone.
//   - forks-busy.csv: 1,100 forks of 2 × 25 ms on a machine whose two processors others used by half and more.
//   - forks-bursts.csv: 206 forks beside two processes that take a processor for 150 ms of 500 ms, in turn of 2 × 50 ms
//     and 8 × 12.5 ms.
var recordings = []struct{ title, file string }{
	{"quiet", "forks.csv"}, {"busy", "forks-busy.csv"}, {"bursts", "forks-bursts.csv"},
}

// recorded is one benchmark's forks.
type recorded struct {
	set, name string
	forks     [][]float64
}

// readRecorded reads all recordings. It finds them from the module's root and from this folder.
func readRecorded() ([]recorded, error) {
	var out []recorded
	for _, r := range recordings {
		text, err := os.ReadFile(filepath.Join("stat", "testdata", r.file))
		if err != nil {
			text, err = os.ReadFile(filepath.Join("..", "..", "stat", "testdata", r.file))
		}
		if err != nil {
			return nil, fmt.Errorf("coverage: run it in the root of the module: %w", err)
		}
		for l := range strings.Lines(string(text)) {
			cells := strings.Split(strings.TrimSpace(l), ",")
			x := recorded{set: r.title, name: strings.ReplaceAll(cells[0], ";", ",")}
			for _, cell := range cells[1:] {
				var fork []float64
				for _, s := range strings.Fields(cell) {
					v, err := strconv.ParseFloat(s, 64)
					if err != nil {
						return nil, fmt.Errorf("coverage: %s: %w", r.file, err)
					}
					fork = append(fork, v)
				}
				x.forks = append(x.forks, fork)
			}
			out = append(out, x)
		}
	}
	return out, nil
}

// changes are the factors by which one side is made slower. The first is none.
var changes = []float64{1, 1.03, 1.05, 1.10}

// calls counts how often a change was called, for each of changes.
type calls [4]int

// power is how often three tests call a benchmark's windows different.
type power struct {
	u       calls // the U test on medians
	best    calls // Savage on the best iterations, alone
	verdict calls // the rule of stat.CompareForks
	opposed int   // verdicts in the wrong direction, all changes together
}

// call deals n neighbouring forks a side at random to two sides, makes one slower, and compares them, so many times.
func (x *recorded) call(windows, n int, rnd *rand.Rand) power {
	var p power
	for range windows {
		at := rnd.IntN(len(x.forks) - 2*n + 1)
		win := slices.Clone(x.forks[at : at+2*n])
		rnd.Shuffle(len(win), func(i, j int) { win[i], win[j] = win[j], win[i] })
		for i, by := range changes {
			c := stat.CompareForks(sideOf(win[:n], 1), sideOf(win[n:], by), stat.Options{Resamples: -1, Threshold: -1})
			if c.Typical.P <= 1-nominal {
				p.u[i]++
			}
			if c.Undisturbed.P <= 1-nominal {
				p.best[i]++
			}
			switch c.Verdict {
			case stat.Slower:
				p.verdict[i]++
			case stat.Faster:
				if i == 0 {
					p.verdict[0]++
				} else {
					p.opposed++
				}
			}
		}
	}
	return p
}

func sideOf(forks [][]float64, by float64) stat.Forks {
	var f stat.Forks
	for _, iterations := range forks {
		f.Typical = append(f.Typical, by*stat.Median(iterations))
		f.Undisturbed = append(f.Undisturbed, by*slices.Min(iterations))
	}
	return f
}

// renderRecorded returns the table of what is called.
func renderRecorded(c config, n int) (string, error) {
	all, err := readRecorded()
	if err != nil {
		return "", err
	}
	head := []string{"forks", "benchmark"}
	for _, test := range []string{"U", "Savage", "verdict"} {
		for _, by := range changes {
			head = append(head, test+" "+changeName(by))
		}
	}
	lines := []string{"`" + c.command() + "`", "", line(head), "| --- | --- " + strings.Repeat("| ---: ", len(head)-2) + "|"}
	for i, x := range all {
		p := x.call(c.runs, n, rand.New(rand.NewPCG(c.seed, uint64(i))))
		cells := []string{x.set, x.name}
		for _, k := range []calls{p.u, p.best, p.verdict} {
			for _, v := range k {
				cells = append(cells, fmt.Sprintf("%.1f", 100*float64(v)/float64(c.runs)))
			}
		}
		lines = append(lines, line(cells))
	}
	return strings.Join(lines, "\n") + "\n", nil
}

func changeName(by float64) string {
	if by == 1 {
		return "A/A"
	}
	return fmt.Sprintf("+%.0f %%", 100*(by-1))
}
