package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/tarebench/tare/stat"
	"github.com/tarebench/tare/suites/published"
)

// ratios writes the table of the README.
func (res *result) ratios(w io.Writer) {
	res.where(w)
	fmt.Fprintln(w, "| queue | wait | against | target | near | far | M elements/s, near / far | round trip ns, near / far |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|")
	before := goal{}
	for _, g := range goals() {
		what, speed, trips := g.what, res.speed(g), res.trips(g)
		wait := g.wait()
		if g.row == before.row && g.unit == before.unit {
			what, wait, speed, trips = "", "", "", ""
		}
		before = g
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", what, wait, g.against, g.goal(),
			g.cell(res.ratio(g, near)), g.cell(res.ratio(g, far)), speed, trips)
	}
	fmt.Fprintf(w, "\nRatios to the rival in the same row, of throughput or, for round trips, of time: Hodges–Lehmann estimates over forks with"+
		" intervals of %s and the forks on each side. Targets are held against the whole interval.\n\n", published.Percent(confidence))
	fmt.Fprintf(w, "%s\n", res.allocations())
}

// wait is the strategy of the goal's own side.
func (g goal) wait() string {
	_, after, _ := strings.Cut(g.row, "/wait=")
	wait, _, _ := strings.Cut(after, "/")
	return wait
}

func (g goal) goal() string {
	switch {
	case g.target == 0:
		return ""
	case g.most:
		return "≤ " + strconv.FormatFloat(g.target, 'g', -1, 64)
	}
	return "≥ " + strconv.FormatFloat(g.target, 'g', -1, 64)
}

// cell is a ratio with its interval, its forks and what it means for the target.
func (g goal) cell(c stat.Comparison) string {
	if c.M == 0 || c.N == 0 {
		return "–"
	}
	s := digits.Significant(c.Ratio)
	if c.Lo > 0 && !math.IsInf(c.Hi, 1) {
		s += fmt.Sprintf(" (%s … %s)", digits.Significant(c.Lo), digits.Significant(c.Hi))
	}
	s += fmt.Sprintf("; %d/%d", c.N, c.M)
	if v := g.verdict(c); v != "" {
		s += " " + v
	}
	return s
}

// speed is the throughput of the goal's own side at the two distances.
func (res *result) speed(g goal) string {
	if g.unit != rate {
		return ""
	}
	return res.both(g.row, rate, 1e6)
}

// trips is the round trip that goes with it: its own, or that of the same queue with
// the same wait.
func (res *result) trips(g goal) string {
	switch {
	case g.unit == trip:
		return res.both(g.row, trip, 1)
	case g.trip != "":
		return res.both(g.trip, trip, 1)
	}
	return ""
}

func (res *result) both(name, unit string, one float64) string {
	r := res.byName[name]
	return digits.Plain(r.at(near, unit), one) + " / " + digits.Plain(r.at(far, unit), one)
}

// allocations says the most that any fork of a bounded queue of tare has allocated
// per element.
func (res *result) allocations() string {
	most, whose := -1.0, ""
	for _, r := range res.rows {
		switch r.params["queue"] {
		case "SPSC", "Buffered", "BufferedBoth", "BufferedConsumer", "MPSC", "SPMC", "MPMC":
		default:
			continue
		}
		if r.params["how"] != "" || !strings.HasPrefix(r.name, "Throughput/") {
			continue
		}
		if x := r.anywhere("allocs/op").Median; x > most {
			most, whose = x, r.way()
		}
	}
	if most < 0 {
		return ""
	}
	return fmt.Sprintf("Allocations per element, bounded queues of tare: at most %.2g in the median of forks (%s, %s); the few that"+
		" there are in a window are the runtime's.", most, whose, "target 0")
}

// where says on what machine it was, how busy that was, and how the cores lay.
func (res *result) where(w io.Writer) {
	for _, r := range res.runs {
		e, c := r.header.Env, r.header.Config
		fmt.Fprintf(w, "* %s: %s/%s, %s, %d cores, kernel %s", r.header.Start.UTC().Format("2006-01-02 15:04 UTC"), e.OS, e.Arch, e.CPU, e.Cores, e.Kernel)
		if e.Virtual != "" {
			fmt.Fprintf(w, ", virtual (%s)", e.Virtual)
		}
		fmt.Fprintf(w, "; %s; tare %s; %d forks of %d + %d windows of %v, interleaved. %v",
			e.Go, res.commit(r), r.forks, c.Warmup, c.Iterations, c.Time, r.machine)
		if !r.machine.Quiet(e.Cores) {
			fmt.Fprint(w, "; **the machine was not quiet**")
		}
		if !r.complete {
			fmt.Fprint(w, "; **not complete**")
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "* %s\n\n", res.lines())
}

// commit is the revision that was measured.
func (res *result) commit(r run) string {
	switch {
	case res.revision != "":
		return res.revision
	case len(r.header.Sides) > 0 && r.header.Sides[0].Revision != "":
		return r.header.Sides[0].Revision
	}
	return r.header.Tare
}

// lines says how often the cores were near and far, and what a line then took.
func (res *result) lines() string {
	counts, took := map[distance]int{}, map[distance][]float64{}
	for _, r := range res.rows {
		for d, units := range r.values {
			counts[d] += len(units[lineBefore])
			took[d] = append(took[d], units[lineBefore]...)
		}
	}
	var parts []string
	for _, d := range distances {
		s := fmt.Sprintf("%s in %d forks", d, counts[d])
		if counts[d] > 0 {
			s += fmt.Sprintf(" (a cache line took %s ns)", digits.Plain(stat.MedianInterval(took[d], confidence), 1))
		}
		parts = append(parts, s)
	}
	return fmt.Sprintf("The cores were %s; left out: %d windows' worth of forks in which that changed, %d in which the machine was too busy to tell.",
		strings.Join(parts, ", "), counts[between], counts[wild])
}
