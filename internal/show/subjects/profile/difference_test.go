package profile_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/show/subjects/profile"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// sampledShares is a program of many functions, each of which is found with its probability.
func sampledShares(r *rand.Rand, samples int, weights []float64) func() (*pprof.Profile, *record.Sampled) {
	var all float64
	for _, w := range weights {
		all += w
	}
	counts := make([]int, len(weights))
	for range samples {
		x := r.Float64() * all
		for i, w := range weights {
			if x -= w; x < 0 || i == len(weights)-1 {
				counts[i]++
				break
			}
		}
	}
	var lines []string
	for i, n := range counts {
		lines = append(lines, fmt.Sprintf("main.main;main.f%02d|| %d %d", i, n, n*1_000_000))
	}
	return func() (*pprof.Profile, *record.Sampled) {
		return made("samples/count cpu/nanoseconds", lines...), &record.Sampled{
			Program: "p", Mode: record.SampledCPU, Source: record.SampledPerf, Window: record.AsmWhole, Interval: 1_000_000, Achieved: 1_000_000, Samples: int64(samples), Wall: 1, CPU: 1,
		}
	}
}

// TestDifferenceOfSame: of two samples of the same program, hardly any difference exceeds the noise; of a changed function it does.
func TestDifferenceOfSame(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	weights := make([]float64, 40)
	for i := range weights {
		weights[i] = 1 / float64(i+1)
	}
	const runs = 200
	alarms := 0
	for range runs {
		d := difference(t, sampledShares(r, 500, weights), sampledShares(r, 800, weights), profile.Config{})
		for _, c := range d.Functions {
			if d.Exceeds(c.Self) {
				alarms++
				break
			}
		}
	}
	// The rate is 5 % at most; 12 % of 200 are more than 4 standard errors above it.
	if alarms > runs*12/100 {
		t.Errorf("%d of %d comparisons of the same program found a difference", alarms, runs)
	}
	changed := append([]float64{0}, weights[1:]...)
	d := difference(t, sampledShares(r, 500, weights), sampledShares(r, 800, changed), profile.Config{})
	if c := d.Functions[0]; c.Name != "main.f00" || d.Verdict(c.Self) != "less" || c.Self.New != 0 {
		t.Errorf("a function that is gone: %+v", c)
	}
}

// TestDifferenceRefused: profiles of different kinds, and empty ones, are not compared.
func TestDifferenceRefused(t *testing.T) {
	for _, c := range []struct {
		old, now func() (*pprof.Profile, *record.Sampled)
		want     string
	}{
		{wall, cpu, "old is of wall, and new of cpu"},
		{empty, cpu, "old has no samples"},
		{cpu, empty, "new has no samples"},
	} {
		_, err := profile.NewDifference(withoutPath(t, c.old, profile.Config{}), withoutPath(t, c.now, profile.Config{}), [2]string{"old", "new"}, 0)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestDifferenceHostile: names are text in every form.
func TestDifferenceHostile(t *testing.T) {
	d := difference(t, before, after, profile.Config{Top: -1})
	var text, svg, js bytes.Buffer
	if err := d.Text(&text, profile.Options{UTF8: true}); err != nil {
		t.Fatal(err)
	}
	if err := d.Flame(&svg); err != nil {
		t.Fatal(err)
	}
	if err := d.JSON(&js); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*bytes.Buffer{"text": &text, "svg": &svg, "json": &js} {
		if strings.Contains(b.String(), "\x1b") || !strings.Contains(b.String(), "old") {
			t.Errorf("%s: %.300s", name, b)
		}
	}
	if strings.Contains(svg.String(), "old<&>") {
		t.Error("a name is markup in the image")
	}
}

// TestNarrow: focus and ignore leave what pprof's leave, and all of them together are the whole.
func TestNarrow(t *testing.T) {
	for _, e := range []string{"json", "main", "^runtime", "kernel|Store", "nowhere"} {
		x := regexp.MustCompile(e)
		with := withoutPath(t, before, profile.Config{Selection: textpage.Selection{Focus: x}})
		without := withoutPath(t, before, profile.Config{Selection: textpage.Selection{Ignore: x}})
		if with.Kept+without.Kept != with.Shown || with.Shown != without.Shown {
			t.Errorf("%s: %d and %d of %d", e, with.Kept, without.Kept, with.Shown)
		}
		for _, c := range []struct {
			got           int64
			focus, ignore *regexp.Regexp
		}{{with.Kept, x, nil}, {without.Kept, nil, x}} {
			p, _ := before()
			for _, f := range p.Function {
				f.Filename = "" // which pprof's match, too, and ours do not
			}
			p.FilterSamplesByName(c.focus, c.ignore, nil, nil)
			var want int64
			for _, s := range p.Sample {
				want += s.Value[1]
			}
			if c.got != want {
				t.Errorf("focus %v, ignore %v: %d is kept, by pprof %d", c.focus, c.ignore, c.got, want)
			}
		}
	}
}
