package result

import (
	"math"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/record"
)

// MaxThrottled is the share of the forks' time for which a CPU quota may stop them.
const MaxThrottled = 0.01

// lost is what the good timed forks of a case lost to others.
type lost struct {
	shares    []float64 // of each fork, NaN if not known
	measured  bool      // while they ran; else estimated from their CPU time
	selected  bool      // only undisturbed forks count
	disturbed int       // forks that lost too much time to others
	median    float64   // of the forks that count, 0 if not known
	known     int       // forks that count and whose loss is known
	unknown   int       // forks that count and whose loss is not, while that of others is
	quota     bool      // most of the loss was a CPU quota

	// For a benchmark that uses several processors without RunParallel: how many it keeps busy, and the share of its
	// threads' time in which they waited for a processor, as medians over the forks that count. waits has each fork's
	// share.
	cores, runDelay float64
	waits           []float64
}

// selectForks chooses the forks that count, after forks were added. The sides of a benchmark are treated alike.
func (b *Builder) selectForks() {
	if !b.added {
		return
	}
	b.added = false
	groups := map[identity][]*caseData{}
	for _, c := range b.cases {
		c.measureLoss(record.KindOf(b.run) != record.KindTime)
		c.measureWaits(b.cores())
		groups[c.identity()] = append(groups[c.identity()], c)
	}
	for _, c := range b.cases {
		var sides [][]float64
		for _, x := range groups[c.identity()] {
			if len(x.timed) > 0 && x.lost.measured {
				sides = append(sides, x.lost.shares)
			}
		}
		c.selectForks(loss.Select(sides...))
	}
}

// measureLoss fills in what each fork lost. Without usage it is not estimated from CPU times: a command may wait for
// a disk in its first run only.
func (c *caseData) measureLoss(usage bool) {
	c.lost = lost{}
	lines := make([]*record.Fork, len(c.timed))
	var throttled, lost float64
	for i := range c.timed {
		f := &c.timed[i].line
		lines[i] = f
		if f.Lost != nil {
			c.lost.measured = true
			lost += *f.Lost * float64(f.Wall)
		}
		throttled += float64(f.Throttled)
	}
	c.lost.quota = throttled > lost/2 && lost > 0
	if c.lost.measured || usage {
		c.lost.shares = loss.Shares(lines)
	}
}

// severalCores is the average number of busy processors from which a fork counts as using several. A benchmark counts
// as using several if a quarter of its forks do, because on a busy machine the others may not have got them.
const severalCores = 1.1

// cores returns how many processors the machine has, 0 if that is not known.
func (b *Builder) cores() int {
	if b.run == nil {
		return 0
	}
	return b.run.Env.Cores
}

// measureWaits fills in how long the threads of each fork waited, for a benchmark that uses several processors without
// RunParallel. measureLoss finds nothing there: it searches for wall time above CPU time, and such a fork has more
// CPU time than wall time even if it got too few processors.
func (c *caseData) measureWaits(cores int) {
	processors := loss.Most(&c.line, cores)
	if processors < 2 || loss.ProcessorsOf(&c.line, cores) > 1 {
		return // the shares say it
	}
	waits := make([]float64, len(c.timed))
	var used []float64
	for i := range c.timed {
		f := &c.timed[i]
		waits[i] = math.NaN()
		if share, known := f.times.Share(processors); known && f.line.Others != nil {
			waits[i] = loss.Bounded(share, &f.line)
			used = append(used, f.times.Cores())
		}
	}
	if len(used) == 0 {
		return
	}
	slices.Sort(used)
	if c.lost.cores = used[len(used)*3/4]; c.lost.cores >= severalCores {
		c.lost.waits = waits
	}
}

// selectForks sets the forks that count: the undisturbed ones, or all.
func (c *caseData) selectForks(calm bool) {
	c.lost.selected = calm && c.lost.measured
	c.forks = c.timed
	var counted, waits []float64
	if c.lost.selected {
		c.forks = nil
	}
	for i, s := range c.lost.shares {
		disturbed := loss.AboveLimit(s)
		if disturbed {
			c.lost.disturbed++
		}
		if c.lost.selected && disturbed {
			continue
		}
		counted = append(counted, s)
		if c.lost.waits != nil {
			waits = append(waits, c.lost.waits[i])
		}
		if c.lost.selected {
			c.forks = append(c.forks, c.timed[i])
		}
	}
	c.lost.median, c.lost.known = loss.Median(counted)
	if c.lost.measured {
		c.lost.unknown = len(counted) - c.lost.known
	}
	c.lost.runDelay, _ = loss.Median(waits)
}

// calm returns the number of undisturbed forks.
func (l *lost) calm() int { return len(l.shares) - l.disturbed }

// withWaits returns the share of its time that each fork lost: by wall time, or by the waits of its threads if that
// is more.
func (l *lost) withWaits() []float64 {
	out := slices.Clone(l.shares)
	for i, w := range l.waits {
		if i < len(out) && (w > out[i] || math.IsNaN(out[i])) {
			out[i] = w
		}
	}
	return out
}

// countKnown returns the number of forks whose loss is known.
func (l *lost) countKnown() (n int) {
	for _, s := range l.shares {
		if !math.IsNaN(s) {
			n++
		}
	}
	return n
}

// share returns the median, nil if it was not measured.
func (l *lost) share() *Number {
	if !l.measured {
		return nil
	}
	return new(Number(max(l.median, l.runDelay)))
}

// cores returns how many processors the forks that count kept busy, the median; 0 if it is not known.
func (c *caseData) cores() float64 {
	var of []float64
	for i := range c.forks {
		if n := c.forks[i].times.Cores(); n > 0 {
			of = append(of, n)
		}
	}
	return medianOr0(of)
}

// disturbed reports whether others had the processors while the forks that count ran: then what looks odd about a
// benchmark may be theirs.
func (c *caseData) disturbed() bool { return c.valueDistrusted() || c.lost.runDelay >= loss.Marked }

// valueDistrusted reports whether the value is not trusted because of lost time: the forks that count lost too much,
// or some fork was disturbed and too few others remain, or the loss of most forks that count is not known.
func (c *caseData) valueDistrusted() bool {
	l := &c.lost
	if l.known == 0 && l.disturbed == 0 {
		return false
	}
	tooFew := l.measured && l.disturbed > 0 && (l.calm() < loss.MinForks || l.unknown > l.known)
	return l.median >= loss.Marked || tooFew
}

// warnLost returns a warning if others had the processors while the forks that count ran; forks are called noun in
// it. If only threads beside the main one waited, the benchmark may not have needed them, as with the collector's.
// Then the warning does not make the value distrusted: in trials of the same code beside busy loops, no such row was
// called different.
func (c *caseData) warnLost(noun string) *derivedWarning {
	if !c.disturbed() {
		return nil
	}
	l, share := &c.lost, max(c.lost.median, c.lost.runDelay)
	facts := diagnosis.Facts{"share": units.Percent(share), "cores": units.Fixed(l.cores, 1), "disturbed": "", "forks": units.Plural(len(c.timed), noun), "limit": units.Level(loss.Limit), "unknown": "", "counting": l.known + l.unknown}
	if l.measured && l.disturbed > 0 {
		facts["disturbed"] = l.disturbed
	}
	if l.unknown > 0 {
		facts["unknown"] = l.unknown
	}
	form := ""
	var w *record.Warn
	switch {
	case l.quota:
		form = "quota"
	case l.runDelay > l.median && !c.valueDistrusted():
		w = diagnosis.Warn(diagnosis.ThreadsWaited, facts)
	case l.runDelay > l.median:
		form = "cores"
	case slices.Contains(c.line.Forms, record.FormParallel) && c.line.Procs > 1:
		form = "threads"
	}
	if w == nil {
		w = diagnosis.WarnForm(diagnosis.Starved, form, facts)
	}
	return &derivedWarning{Warn: *w, figure: units.Percent(share), severity: share}
}

// lostRun is what the forks of all cases lost.
type lostRun struct {
	shares                    []float64 // of each fork, with the waits of several threads
	alone                     []float64 // without them
	timed, disturbed, dropped int
	unknown                   int    // forks that count, of a case with forks of which it is known
	throttled, wall           int64  // ns
	marked, quota             int    // cases
	noun                      string // what a fork is called
}

func lostBy(cases []*caseData, noun string) lostRun {
	r := lostRun{noun: noun}
	for _, c := range cases {
		r.shares, r.alone = append(r.shares, c.lost.withWaits()...), append(r.alone, c.lost.shares...)
		r.timed += len(c.timed)
		for i := range c.timed {
			r.throttled += c.timed[i].line.Throttled
			r.wall += c.timed[i].line.Wall
		}
		if c.lost.measured {
			r.disturbed += c.lost.disturbed
			r.unknown += c.lost.unknown
		}
		if c.lost.selected {
			r.dropped += c.lost.disturbed
		}
		if c.disturbed() {
			r.marked++
		}
		if c.lost.quota {
			r.quota++
		}
	}
	return r
}

// processorsLost returns warnings about the run of some cases if its forks lost much of their time: to others, or to a
// quota.
func processorsLost(cases []*caseData, noun string) []derivedWarning {
	r := lostBy(cases, noun)
	byQuota := float64(r.throttled) > MaxThrottled*float64(r.wall)
	var out []derivedWarning
	if byQuota {
		out = append(out, derivedWarning{Warn: *diagnosis.Warn(diagnosis.Quota, diagnosis.Facts{"stopped": units.Span(float64(r.throttled)), "time": units.Span(float64(r.wall))})})
	}
	median, known := loss.Median(r.shares)
	if known == 0 || r.disturbed == 0 && r.marked == 0 && median < loss.Marked {
		return out
	}
	form := ""
	switch dropped := r.marked == 0 && median < loss.Marked && r.dropped == r.disturbed && r.disturbed > 0; {
	case byQuota && r.quota > len(cases)/2 && dropped:
		form = "dropped-quota"
	case dropped:
		form = "dropped"
	case byQuota && r.quota > len(cases)/2:
		form = "quota"
	case median < loss.Marked && r.disturbed == 0:
		form = "little" // as far as it is known
	}
	return append(out, derivedWarning{Warn: *diagnosis.WarnForm(diagnosis.ProcessorsLost, form, r.facts(median))})
}

// facts returns what is said of lost time: how many forks were disturbed, whether they count, and of how many that count
// it is not known.
func (r *lostRun) facts(median float64) diagnosis.Facts {
	facts := diagnosis.Facts{
		"share": units.Percent(median), "whose": "a " + r.noun + "'s", "disturbed": "", "forks": units.Plural(r.timed, r.noun), "limit": units.Level(loss.Limit),
		"all": r.disturbed > 0 && r.dropped == r.disturbed, "dropped": "", "unknown": "",
	}
	if alone, _ := loss.Median(r.alone); alone < loss.Marked && median >= loss.Marked {
		facts["whose"] = "a " + r.noun + "'s threads'"
	}
	if r.disturbed > 0 {
		facts["disturbed"] = r.disturbed
	}
	if r.dropped > 0 && r.dropped < r.disturbed {
		facts["dropped"] = r.dropped
	}
	if r.unknown > 0 {
		facts["unknown"] = units.Plural(r.unknown, r.noun)
	}
	return facts
}
