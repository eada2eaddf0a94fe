package usage

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestStarvedSides: a sequential run with half a processor makes the parallel one look
// efficient. That is said, and no efficiency is computed from it.
func TestStarvedSides(t *testing.T) {
	ms := time.Millisecond
	unknown := map[string]string{FigureWaited: "no such kernel"}
	seq := Usage{Name: "seq", Real: 1000 * ms, CPU: 990 * ms, Procs: 2}
	par := Usage{Name: "par", Real: 530 * ms, CPU: 1000 * ms, Procs: 2}
	for _, c := range []struct {
		name     string
		seq, par func(*Usage)
		want     []string // the beginnings of Doubts

		undisturbed float64
	}{
		{"both had what they wanted", nil, nil, nil, 0},
		{"a little delay", func(u *Usage) { u.Waited = 20 * ms }, func(u *Usage) { u.Waited = 30 * ms }, nil, 0},
		{"sequential with half a processor", func(u *Usage) { u.Real, u.Waited = 1980*ms, 990*ms }, nil,
			[]string{"seq: its threads waited 990ms for a processor while they ran for 990ms: other processes, or threads beyond"}, 990.0 / 530},
		{"parallel without its processors", nil, func(u *Usage) { u.Waited = 400 * ms }, []string{"par: its threads waited 400ms"}, 1000 / (530 * 1 / 1.4)},
		{"both", func(u *Usage) { u.Waited = 200 * ms }, func(u *Usage) { u.Waited = 400 * ms }, []string{"seq: ", "par: "}, 800 / (530 * 1 / 1.4)},
		{"the kernel does not tell", func(u *Usage) { u.Real, u.NotAvailable = 1980*ms, unknown }, nil,
			[]string{"seq: it kept 0.50 processors busy, so it waited 990ms of 1.98s"}, 0},
		{"the sequential one kept 1.3 processors busy", func(u *Usage) { u.CPU = 1300 * ms }, nil, []string{"seq: it kept 1.30 processors busy, so that it is no measure of one"}, 0},
		{"a tenth more", func(u *Usage) { u.CPU = 1090 * ms }, nil, nil, 0},
		{"a parallel run may be idle", nil, func(u *Usage) { u.CPU, u.NotAvailable = 100*ms, unknown }, nil, 0},
	} {
		s, p := seq, par
		if c.seq != nil {
			c.seq(&s)
		}
		if c.par != nil {
			c.par(&p)
		}
		got := Compare(s, p)
		if !slices.EqualFunc(got.Doubts, c.want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", c.name, got.Doubts, c.want)
		}
		if len(c.want) > 0 != math.IsNaN(got.Efficiency) {
			t.Errorf("%s: efficiency %v", c.name, got.Efficiency)
		}
		if u := c.undisturbed; math.Abs(got.Undisturbed-u) > 0.005 || (u > 0) != strings.Contains(got.String(), "for the CPU that they had: ") {
			t.Errorf("%s: undisturbed %v, want %v", c.name, got.Undisturbed, u)
		}
		if text := got.String(); strings.Count(text, "not trustworthy: ") != len(c.want) {
			t.Errorf("%s: %s", c.name, text)
		}
		blind := 0
		for _, u := range []Usage{s, p} {
			if u.NotAvailable != nil {
				blind++
			}
		}
		if text := got.String(); len(got.NotChecked) != blind || strings.Count(text, "not checked: ") != blind || strings.Count(text, "had: no such kernel\n") != blind {
			t.Errorf("%s: %q in\n%s", c.name, got.NotChecked, text)
		}
	}
}

func TestStarved(t *testing.T) {
	for _, c := range []struct {
		u    Usage
		want float64
	}{
		{Usage{CPU: 3, Waited: 1}, 0.25}, {Usage{CPU: 3}, 0}, {Usage{}, math.NaN()},
		{Usage{CPU: 3, NotAvailable: map[string]string{FigureWaited: "x"}}, math.NaN()},
	} {
		if got := c.u.Starved(); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%+v: %v, want %v", c.u, got, c.want)
		}
	}
}
