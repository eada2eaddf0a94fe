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
	add("SPSC, batches of 64", throughput("1to1", "SPSC", "backoff", 64), roundTrip(1, "SPSC", "backoff", 64),
		rival{"channel", channel("1to1"), 30},
		rival{"channel of recycled slices of 64", throughput("1to1", "channel", "own", 64), 1.2},
		rival{"JCTools offer/poll", inJava("1to1", "SPSC", "poll"), 1},
		rival{"JCTools fill/drain(64)", inJava("1to1", "SPSC", "fill"), 1})
	add("SPSC, Buffered(32)", throughput("1to1", "Buffered", "backoff", 32), roundTrip(1, "Buffered", "backoff", 32),
		rival{"channel", channel("1to1"), 8},
		rival{"JCTools offer/poll", inJava("1to1", "SPSC", "poll"), 0.5})
	add("SPSC, one by one", throughput("1to1", "SPSC", "backoff", 1), roundTrip(1, "SPSC", "backoff", 1),
		rival{"channel", channel("1to1"), 5},
		rival{"JCTools offer/poll", inJava("1to1", "SPSC", "poll"), 0.2},
		rival{"xsync.SPSC, spin", throughput("1to1", "xsync.SPSC", "spin", 1), 0},
		rival{"xsync.SPSC, backoff", throughput("1to1", "xsync.SPSC", "backoff", 1), 0})
	add("MPSC 2–1", throughput("2to1", "MPSC", "backoff", 1), roundTrip(1, "MPSC", "backoff", 1),
		rival{"channel", channel("2to1"), 2.2},
		rival{"JCTools relaxed", inJava("2to1", "MPSC", "relaxed"), 0})
	add("MPMC 2–2", throughput("2to2", "MPMC", "backoff", 1), roundTrip(1, "MPMC", "backoff", 1),
		rival{"channel", channel("2to2"), 2.5},
		rival{"xsync.MPMC, spin", throughput("2to2", "xsync.MPMC", "spin", 1), 1.4},
		rival{"xsync.MPMC, backoff", throughput("2to2", "xsync.MPMC", "backoff", 1), 0},
		rival{"JCTools relaxed", inJava("2to2", "MPMC", "relaxed"), 0})
	for _, r := range []rival{{"JCTools", inJava("1to1", "SPSC", "ring-1"), 0.8}, {"channel", roundTrip(1, "channel", "own", 1), 0.45}} {
		out = append(out, goal{"round trip, SPSC", roundTrip(1, "SPSC", "spin", 1), r.name, r.row, trip, true, r.target, ""})
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

func inJava(parties, queue, how string) string {
	return fmt.Sprintf("JCTools/capacity=1024/elem=ptr/parties=%s/queue=%s/how=%s", parties, queue, how)
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
