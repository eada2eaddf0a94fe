package bisect

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/stat"
)

// recorded returns series of real forks by benchmark.
func recorded(t *testing.T) map[string][]float64 {
	text, err := os.ReadFile("testdata/forks.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]float64{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if words[0] == "#" {
			continue
		}
		for _, w := range words[1:] {
			x, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			out[words[0]] = append(out[words[0]], x)
		}
	}
	return out
}

// replay draws forks from a series in blocks of eight that follow each other, so that neighbours stay as alike as they were.
type replay struct {
	r    *rand.Rand
	xs   []float64
	next int
	left int
}

func (p *replay) fork() float64 {
	if p.left == 0 {
		p.left, p.next = 8, p.r.IntN(len(p.xs))
	}
	p.left--
	p.next = (p.next + 1) % len(p.xs)
	return p.xs[p.next]
}

// Forks of real benchmarks instead of a model: a step of 5 % among 64 commits, or none.
func TestRecordedForks(t *testing.T) {
	series := recorded(t)
	names := []string{}
	for name := range series {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		xs := series[name]
		cv := stat.RobustCV(xs)
		if cv > 0.08 && !testutil.Soak() {
			continue // thousands of forks for each search
		}
		right, wrong, accused, forks, n := 0, 0, 0, 0, trials(25)
		for i := range n {
			at, p := 1+i*7%64, &replay{r: rand.New(rand.NewPCG(uint64(i), 5)), xs: xs}
			levels := step(64, at, 0.05)
			s := New(64, Options{Seed: uint64(i)})
			run(s, func(c int) float64 { return p.fork() * levels[c] })
			r := s.Done()
			forks += r.Forks
			switch {
			case r.State == Found && r.First == at:
				right++
			case r.State == Found:
				wrong++
			}
			s = New(64, Options{Seed: uint64(i)})
			run(s, func(c int) float64 { return p.fork() })
			if s.Done().State == Found {
				accused++
			}
		}
		t.Logf("%s, CV %.1f %%: right %d, wrong %d of %d, forks mean %d; flat: accused %d", name, 100*cv, right, wrong, n, forks/n, accused)
		atLeast(t, name+", not wrong", n-wrong, n, 0.97)
		atLeast(t, name+", flat", n-accused, n, 0.95)
		if cv < 0.08 {
			atLeast(t, name, right, n, 0.97)
		}
	}
}
