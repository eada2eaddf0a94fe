package sample

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tarebench/tare/prof"
)

// key is what samples are counted by: where, and in which state.
type key struct {
	stack int
	state uint64
}

// found is what was counted of a key.
type found struct {
	n     int64   // samples
	time  float64 // ns
	twice float64 // ns, between looks that found the same; of time
}

// tally counts what a process has seen of itself, in the windows that matter.
type tally struct {
	windows []prof.Window       // in the order of time; nil: all of it
	of      func(key) int64     // how many different goroutines a key counts for: 0 for the runtime's own
	alike   func(a, b key) bool // the same function, called by the same one
	found   map[key]*found

	looks, skipped, goroutines int64
	took, longest              int64 // ns, of the looks that count
	wall                       int64 // ns between them
	gaps                       int64 // number of those
}

func (t *tally) at(k key) *found {
	f := t.found[k]
	if f == nil {
		f = &found{}
		t.found[k] = f
	}
	return f
}

// keys are those that were found, in an order that is always the same.
func (t *tally) keys() []key {
	return slices.SortedFunc(maps.Keys(t.found), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.stack, b.stack), cmp.Compare(a.state, b.state))
	})
}

// overlap is how much of a stretch of time counts.
func (t *tally) overlap(from, to int64) int64 {
	if t.windows == nil {
		return to - from
	}
	var sum int64
	for _, w := range t.windows {
		if lo, hi := max(from, w.Begin), min(to, w.End); hi > lo {
			sum += hi - lo
		}
	}
	return sum
}

// counts reports whether a moment does.
func (t *tally) counts(at int64) bool {
	if t.windows == nil {
		return true
	}
	for _, w := range t.windows {
		if at >= w.Begin && at < w.End {
			return true
		}
	}
	return false
}

// slot is a goroutine.
type slot struct {
	key
	goid uint64
}

// follow goes through the looks. The time between two of them belongs to one half to
// what the first has found, and to the other to what the second has.
func (t *tally) follow(s *seen) {
	slots := map[int]slot{}
	live := map[key]int64{}
	for i := range s.looks {
		l := &s.looks[i]
		gap := 0.0
		if i > 0 {
			n := t.overlap(s.looks[i-1].at, l.at)
			gap = float64(n)
			t.wall += n
			if n > 0 {
				t.gaps++
			}
		}
		stayed := t.apply(l, slots, live, gap)
		for k, n := range stayed {
			if n > 0 && gap > 0 {
				f := t.at(k)
				f.twice += gap * float64(n)
				f.time += gap / 2 * float64(n)
			}
		}
		t.count(s, i, live, gap)
	}
}

// apply makes the goroutines those of a look. It gives its half of the gap to what was
// before, and returns how many stayed where they were.
func (t *tally) apply(l *look, slots map[int]slot, live map[key]int64, gap float64) map[key]int64 {
	stayed := make(map[key]int64, len(live))
	for k, n := range live {
		stayed[k] = n
	}
	for _, c := range l.changes {
		old, had := slots[c.slot]
		if had {
			n := t.of(old.key)
			live[old.key] -= n
			stayed[old.key] -= n
			t.add(old.key, 0, gap/2*float64(n), 0)
			if live[old.key] <= 0 {
				delete(live, old.key)
			}
			delete(slots, c.slot)
		}
		if c.state == inGone {
			continue
		}
		x := slot{key{c.stack, c.state}, c.goid}
		slots[c.slot] = x
		n := t.of(x.key)
		if n == 0 {
			continue
		}
		live[x.key] += n
		if had && old.goid == x.goid && t.alike(old.key, x.key) {
			t.add(x.key, 0, 0, gap*float64(n))
		}
	}
	return stayed
}

func (t *tally) add(k key, n int64, time, twice float64) {
	if n == 0 && time == 0 && twice == 0 {
		return
	}
	f := t.at(k)
	f.n += n
	f.time += time
	f.twice += twice
}

// count counts what one look has found.
func (t *tally) count(s *seen, i int, live map[key]int64, gap float64) {
	l := &s.looks[i]
	inside := t.counts(l.at)
	many := int64(0)
	for k, n := range live {
		many += n
		if inside {
			t.add(k, n, 0, 0)
		}
		t.add(k, 0, gap/2*float64(n), 0)
	}
	if !inside {
		return
	}
	t.looks++
	t.skipped += l.skipped
	t.goroutines = max(t.goroutines, many)
	took := s.took
	if i+1 < len(s.looks) { // what a look took is told by the next
		took = s.looks[i+1].took
	}
	t.took += took
	t.longest = max(t.longest, took)
}

// hits counts what the CPU profiler has found.
func (t *tally) hits(s *seen) {
	if s.hz == 0 {
		return // it was not on
	}
	period := 1e9 / float64(s.hz)
	for _, h := range s.hits {
		if t.counts(h.at) {
			t.looks += h.n
			t.add(key{h.stack, inRunning}, h.n, period*float64(h.n), 0)
		}
	}
	if n := len(s.hits); n > 0 {
		t.wall = t.overlap(s.start, s.hits[n-1].at)
	}
}
