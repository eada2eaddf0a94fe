package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// A goal is a ratio that package queue is to reach.
type goal struct {
	what    string
	row     string // of the record
	against string
	rival   string
	unit    string  // of both
	most    bool    // the ratio is to be target at most, else at least; it is a time
	target  float64 // 0: for information
	trip    string  // the row of the round trip with the same wait, if there is one
}

const (
	rate = "consumer-op/s"
	trip = "sender-ns/op"
)

// goals lists the ratios of the README, in its order. All are of pointers, at
// capacity 1024.
func goals() []goal {
	var out []goal
	type rival struct {
		name, row string
		target    float64
	}
	add := func(what, row, trip string, rivals ...rival) {
		for _, r := range rivals {
			out = append(out, goal{what: what, row: row, against: r.name, rival: r.row, unit: rate, target: r.target, trip: trip})
		}
	}
	channel := func(parties string) string { return throughput(parties, "channel", "own", 1) }
	// JCTools is there with both ways to wait: which of them is faster depends on the distance of the cores.
	java := func(name, parties, queue, how string, target float64) []rival {
		return []rival{
			{name + ", spin", inJava(parties, queue, how, "spin"), target},
			{name + ", backoff", inJava(parties, queue, how, "backoff"), target},
		}
	}
	add("SPSC, batches of 64", throughput("1to1", "SPSC", "backoff", 64), roundTrip(1, "SPSC", "backoff", 64),
		append([]rival{
			{"channel", channel("1to1"), 30},
			{"channel of recycled slices of 64", throughput("1to1", "channel", "own", 64), 2},
		}, append(java("JCTools fill/drain(64)", "1to1", "SPSC", "fill", 1.3), java("JCTools offer/poll", "1to1", "SPSC", "poll", 0)...)...)...)
	add("SPSC, Buffered(32) and BufferedConsumer", throughput("1to1", "BufferedBoth", "backoff", 32), roundTrip(1, "BufferedBoth", "backoff", 32),
		append([]rival{{"channel", channel("1to1"), 10}}, java("JCTools offer/poll", "1to1", "SPSC", "poll", 0.6)...)...)
	add("SPSC, Buffered(32)", throughput("1to1", "Buffered", "backoff", 32), roundTrip(1, "Buffered", "backoff", 32),
		append([]rival{{"channel", channel("1to1"), 0}}, java("JCTools offer/poll", "1to1", "SPSC", "poll", 0)...)...)
	add("SPSC, one by one", throughput("1to1", "SPSC", "backoff", 1), roundTrip(1, "SPSC", "backoff", 1),
		append(append([]rival{{"channel", channel("1to1"), 5}}, java("JCTools offer/poll", "1to1", "SPSC", "poll", 0.2)...),
			rival{"xsync.SPSC, backoff", throughput("1to1", "xsync.SPSC", "backoff", 1), 0})...)
	add("SPSC, BufferedConsumer", throughput("1to1", "BufferedConsumer", "backoff", 1), roundTrip(1, "BufferedConsumer", "backoff", 1),
		append([]rival{{"channel", channel("1to1"), 0}}, java("JCTools offer/poll", "1to1", "SPSC", "poll", 0)...)...)
	add("MPSC 2–1", throughput("2to1", "MPSC", "backoff", 1), roundTrip(1, "MPSC", "backoff", 1),
		append([]rival{{"channel", channel("2to1"), 2.2}}, java("JCTools relaxed", "2to1", "MPSC", "relaxed", 0)...)...)
	add("MPMC 2–2", throughput("2to2", "MPMC", "backoff", 1), roundTrip(1, "MPMC", "backoff", 1),
		append([]rival{
			{"channel", channel("2to2"), 2.5},
			{"xsync.MPMC, backoff", throughput("2to2", "xsync.MPMC", "backoff", 1), 1.2},
		}, java("JCTools relaxed", "2to2", "MPMC", "relaxed", 0)...)...)
	add("MPMC 2–2", throughput("2to2", "MPMC", "spin", 1), roundTrip(1, "MPMC", "spin", 1),
		rival{"xsync.MPMC, spin", throughput("2to2", "xsync.MPMC", "spin", 1), 0})
	for _, own := range []string{"SPSC", "BufferedConsumer"} {
		what := map[string]string{"SPSC": "round trip, SPSC", "BufferedConsumer": "round trip, SPSC, BufferedConsumer"}[own]
		for _, r := range []rival{{"JCTools", inJava("1to1", "SPSC", "ring-1", "spin"), 0.8}, {"channel", roundTrip(1, "channel", "own", 1), 0.45}} {
			out = append(out, goal{what, roundTrip(1, own, "spin", 1), r.name, r.row, trip, true, r.target, ""})
		}
	}
	for _, w := range []string{"spin", "backoff"} {
		add("starved: an SPSC pair per core", starved("SPSC", w), "", rival{"channel pairs", starved("channel", "own"), 0.9})
		add("starved: MPMC 2–2", throughput("2to2", "MPMC", w, 1), "", rival{"channel", channel("2to2"), 0.9})
	}
	add("starved: a Blocking pair per core", starved("Blocking", "park"), "", rival{"channel pairs", starved("channel", "own"), 0.9})
	return out
}

func throughput(parties, queue, wait string, batch int) string {
	return fmt.Sprintf("Throughput/capacity=1024/elem=ptr/parties=%s/queue=%s/wait=%s/batch=%d", parties, queue, wait, batch)
}

func roundTrip(burst int, queue, wait string, batch int) string {
	return fmt.Sprintf("RoundTrip/capacity=1024/elem=ptr/burst=%d/queue=%s/wait=%s/batch=%d", burst, queue, wait, batch)
}

func inJava(parties, queue, how, wait string) string {
	return fmt.Sprintf("JCTools/capacity=1024/elem=ptr/parties=%s/queue=%s/how=%s/wait=%s", parties, queue, how, wait)
}

func starved(queue, wait string) string {
	return fmt.Sprintf("Starved/capacity=1024/elem=ptr/procs=cores/queue=%s/wait=%s/batch=1", queue, wait)
}

// ratio compares at one distance. Neither side's forks are mixed with those of
// another distance.
func (res *result) ratio(g goal, d distance) stat.Comparison {
	var rival, own []float64
	if r := res.byName[g.rival]; r != nil {
		rival = r.values[d][g.unit]
	}
	if r := res.byName[g.row]; r != nil {
		own = r.values[d][g.unit]
	}
	return stat.Compare(rival, own, stat.Options{Confidence: confidence, HigherIsBetter: !g.most, Resamples: -1})
}

// verdict holds a ratio against the target: an interval that contains the target
// decides nothing.
func (g goal) verdict(c stat.Comparison) string {
	switch {
	case g.target == 0 || c.M == 0 || c.N == 0:
		return ""
	case c.Lo == 0 || math.IsInf(c.Hi, 1):
		return "too few forks"
	case g.most && c.Hi <= g.target || !g.most && c.Lo >= g.target:
		return "**reached**"
	case g.most && c.Lo > g.target || !g.most && c.Hi < g.target:
		return "missed"
	}
	return "undecided"
}

// needs is the filter expression of tare bench that chooses the rows of the goals.
func needs() string {
	var terms []string
	seen := map[string]bool{"": true}
	for _, g := range goals() {
		for _, name := range []string{g.row, g.rival, g.trip} {
			if seen[name] {
				continue
			}
			seen[name] = true
			top, _, _ := strings.Cut(name, "/")
			term := ".name:" + top
			for _, p := range record.ParseName(name) {
				term += " /" + p.Key + ":" + p.Value
			}
			terms = append(terms, "("+term+")")
		}
	}
	return strings.Join(terms, " OR ")
}
