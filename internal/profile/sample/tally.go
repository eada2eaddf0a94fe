package sample

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tarebench/tare/internal/profile/timerlog"
)

// key identifies a stack in a state.
type key struct {
	stack int
	state uint64
}

// found is the count of a key.
type found struct {
	n     int64   // samples
	time  float64 // ns
	twice float64 // ns between samples with the same content; part of time
}

// tally counts the samples in given spans of time.
type tally struct {
	ran   []timerlog.Span     // the spans, in order and disjoint; nil: always
	of    func(key) int64     // how many goroutines a key counts for: 0 for those that are not the program's
	alike func(a, b key) bool // same function with the same caller
	found map[key]*found

	lateBy int64 // ns of delay above which a sample is late

	samples, goroutines   int64
	skipped, spared, late int64   // samples omitted, or late
	took, longest         int64   // cost of the samples that count, ns
	wall                  int64   // ns of the spans covered by samples
	gaps                  int64   // intervals between samples that overlap the spans
	long                  int64   // ns of those intervals
	weight, squares       float64 // sums of the samples' weights and of their squares; a weight is the time that a sample stands for
	moments               *moments
	running               *moments // of the goroutines that do not wait
	achieved              float64  // mean ns between samples by CPU time; 0: unknown
}

func (t *tally) at(k key) *found {
	f := t.found[k]
	if f == nil {
		f = &found{}
		t.found[k] = f
	}
	return f
}

// keys returns the counted keys in a deterministic order.
func (t *tally) keys() []key {
	all := slices.Collect(maps.Keys(t.found))
	slices.SortFunc(all, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.stack, b.stack), cmp.Compare(a.state, b.state))
	})
	return all
}

// overlap returns how much of [from, to) is in the spans.
func (t *tally) overlap(from, to int64) (sum int64) {
	if t.ran == nil {
		return to - from
	}
	for _, x := range timerlog.Overlap(t.ran, timerlog.Span{Begin: from, End: to}) {
		sum += x.End - x.Begin
	}
	return sum
}

// counts reports whether a time is in the spans.
func (t *tally) counts(at int64) bool { return t.ran == nil || timerlog.Contains(t.ran, at) }

// slot is a goroutine.
type slot struct {
	key
	goid  uint64
	place *placeDelta // of the key, if it counts
	ran   *placeDelta // of the key in running, if it counts
}

// follow processes the samples. The time between two samples that count is divided equally between them. The time
// before the first and after the last belongs to these. Other samples get no time.
func (t *tally) follow(s *fileContent) {
	slots := map[int]slot{}
	live := map[key]int64{}
	var last map[key]int64 // content of the last sample that counts, or nil
	pending, got, before := 0.0, 0.0, false
	for i := range s.samples {
		l := &s.samples[i]
		inside, since := t.counts(l.at), s.start
		if i > 0 {
			since = s.samples[i-1].at
		}
		gap := t.gap(since, l.at)
		pending += float64(gap)
		twice := 0.0
		if before && inside {
			twice = float64(gap)
		}
		t.apply(l, slots, live, twice)
		if before = inside; !inside {
			continue
		}
		half := pending / 2
		if last == nil {
			half = pending
		} else {
			t.addWeight(got + half)
		}
		t.moments.endSample()
		t.running.endSample()
		t.share(last, half)
		t.share(live, half)
		t.count(s, i, live)
		last, got, pending = maps.Clone(live), half, 0
	}
	pending += float64(t.tail(s))
	t.share(last, pending)
	t.addWeight(got + pending)
}

// tail returns how much of the time after the last sample counts: until the end, but at most the longest interval
// between samples, or until the next one was due if that is later. The rest was not sampled, because the process
// executed another program or the room was full.
func (t *tally) tail(s *fileContent) int64 {
	n := len(s.samples)
	if n == 0 || s.end == 0 || s.full {
		return 0
	}
	last := s.samples[n-1].at
	rest := t.overlap(last, max(last, min(s.end, max(s.due, last+int64(2*t.mean())))))
	t.wall += rest
	return rest
}

// mean returns the mean ns from sample to sample.
func (t *tally) mean() float64 {
	if t.gaps == 0 {
		return 0
	}
	return float64(t.long) / float64(t.gaps)
}

func (t *tally) addWeight(weight float64) {
	t.weight += weight
	t.squares += weight * weight
	t.moments.setWeight(weight)
	t.running.setWeight(weight)
}

// effectiveSamples returns the number of equally weighted samples with the same error of a share. With weights w the
// variance of a mean is that of one sample, times Σw²/(Σw)².
func (t *tally) effectiveSamples() float64 {
	if t.squares == 0 {
		return 0
	}
	return t.weight * t.weight / t.squares
}

// gap returns how much of the time between two samples is in the spans.
func (t *tally) gap(from, to int64) int64 {
	n := t.overlap(from, to)
	if n > 0 {
		t.wall += n
		t.gaps++
		t.long += to - from
	}
	return n
}

// share attributes time to the content of a sample.
func (t *tally) share(found map[key]int64, time float64) {
	for k, n := range found {
		t.add(k, 0, time*float64(n), 0)
	}
}

// apply applies the changes of a sample. For goroutines that have not changed since the sample before, the time
// between counts as found twice.
func (t *tally) apply(l *wallSample, slots map[int]slot, live map[key]int64, gap float64) {
	stayed := maps.Clone(live)
	for _, c := range l.changes {
		old, had := slots[c.slot]
		if had {
			n := t.of(old.key)
			t.moments.move(old.place, -n)
			t.running.move(old.ran, -n)
			live[old.key] -= n
			stayed[old.key] -= n
			if live[old.key] <= 0 {
				delete(live, old.key)
			}
			delete(slots, c.slot)
		}
		if c.state == inGone {
			continue
		}
		x := slot{key: key{c.stack, c.state}, goid: c.goid}
		n := t.of(x.key)
		if n != 0 {
			x.place = t.moments.place(x.key)
			if c.state < inWaiting {
				x.ran = t.running.place(x.key)
			}
		}
		slots[c.slot] = x
		if n == 0 {
			continue
		}
		t.moments.move(x.place, n)
		t.running.move(x.ran, n)
		live[x.key] += n
		if had && old.goid == x.goid && t.alike(old.key, x.key) {
			t.add(x.key, 0, 0, gap*float64(n))
		}
	}
	for k, n := range stayed {
		t.add(k, 0, 0, gap*float64(n))
	}
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

// count counts the content of one sample.
func (t *tally) count(s *fileContent, i int, live map[key]int64) {
	l := &s.samples[i]
	many := int64(0)
	for k, n := range live {
		many += n
		t.add(k, n, 0, 0)
	}
	t.samples++
	t.skipped, t.spared, t.late = t.skipped+l.skipped, t.spared+l.spared, t.late+l.over
	if l.late > t.lateBy {
		t.late++
	}
	t.goroutines = max(t.goroutines, many)
	took := s.took
	if i+1 < len(s.samples) { // the cost of a sample is in the next one
		took = s.samples[i+1].took
	}
	t.took += took
	t.longest = max(t.longest, took)
}

// countCPU counts the samples of the CPU profiler. Each stands for its share of the CPU time that the program used
// meanwhile, if known: samples come at most at the kernel's tick, whatever the interval. cpu is the CPU time of the
// program and its children until its end, used if the program has written none.
func (t *tally) countCPU(s *fileContent, cpu int64) {
	if s.hz == 0 {
		return // the profiler was off
	}
	all := int64(0)
	for _, h := range s.cpuSamples {
		all += h.n
		if t.counts(h.at) {
			t.samples += h.n
			t.add(key{h.stack, inRunning}, h.n, 0, 0)
		}
	}
	switch {
	case s.cpu > 0 && s.within > 0:
		t.achieved = float64(s.cpu) / float64(s.within)
	case cpu > 0 && all > 0:
		t.achieved = float64(cpu) / float64(all)
	}
	period := cmp.Or(t.achieved, 1e9/float64(s.hz))
	for _, f := range t.found {
		f.time = period * float64(f.n)
	}
	if n := len(s.cpuSamples); n > 0 {
		t.wall = t.overlap(s.start, s.cpuSamples[n-1].at)
	}
}
