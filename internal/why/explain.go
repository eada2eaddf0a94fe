package why

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Below these differences samples cannot tell which function they are in.
const (
	leastByTime = 0.10
	leastByMany = 0.05 // with at least manySamples on each side
	manySamples = 5600
)

// LeastShare is the share of a cause that is worth naming.
const LeastShare = 0.03

// Explain divides the difference between two sides among causes. Causes that explain less than least are left out.
func Explain(e *Evidence, least float64) Answer {
	a := Answer{Rest: Share{1, 1, 1}}
	if e.Machine != "" {
		a.Notes = []string{"no cause is named: " + e.Machine}
		return a
	}
	a.Causes = e.settingCauses()
	a.Ledger = e.ledger()
	all, named, parking := e.cpuCauses(a.Ledger)
	if a.Ledger == OfTime {
		for _, c := range e.waitCauses(delta(e.Wall), parking) {
			all = append(all, c)
			named = named.plus(c.Share)
		}
	}
	if c, ok := e.layoutCause(delta(e.Wall), all); ok {
		all, named = []Cause{c}, named.none().plus(c.Share)
	}
	if len(a.Causes) == 0 && e.allSame() && !slices.ContainsFunc(all, func(c Cause) bool { return !c.Where }) {
		all, named = nil, named.none() // a function that is slower at random
		note := "the machine code that runs is the same on both sides"
		if math.Abs(e.Wall[1].Value/e.Wall[0].Value-1) > 0.01 {
			note += ": what differs is where it lies in memory, or the machine"
		}
		a.Notes = append(a.Notes, note)
	}
	all = slices.DeleteFunc(all, func(c Cause) bool {
		return !math.IsNaN(c.Share.Value) && (!c.Share.excludesZero() || math.Abs(c.Share.Value) < least)
	})
	slices.SortStableFunc(all, func(x, y Cause) int { return cmpFloat(y.rank(), x.rank()) })
	a.Rest = named.rest()
	if e.SameText && len(a.Causes) > 0 {
		a.Rest = Share{}
		if len(all) > 0 {
			a.Notes = append(a.Notes, "the sources are the same: the other causes are what the settings did")
		}
	}
	a.Causes = append(a.Causes, all...)
	return a
}

// settingCauses are the settings that differ. If the sources are the same, nothing else made the difference.
func (e *Evidence) settingCauses() (out []Cause) {
	share := Share{math.NaN(), 0, 1}
	if e.SameText {
		share = Share{1, 1, 1}
	}
	for _, s := range e.Settings {
		out = append(out, Cause{
			Kind: CauseSettings, Exact: true, Share: share, Joint: len(e.Settings) > 1,
			What: fmt.Sprintf("%s: %s before, %s now", s.Name, cmp.Or(s.Old, "none"), cmp.Or(s.New, "none")),
		})
	}
	return out
}

// sum adds up shares whose errors are independent.
type sum struct{ value, variance float64 }

func (s sum) none() sum { return sum{} }

// plus adds a share; one that is not known adds nothing.
func (s sum) plus(x Share) sum {
	if math.IsNaN(x.Value) {
		return s
	}
	err := (x.Hi - x.Lo) / (2 * z95)
	return sum{s.value + x.Value, s.variance + err*err}
}

// rest returns what the shares leave of the whole.
func (s sum) rest() Share {
	err := z95 * math.Sqrt(s.variance)
	return Share{1 - s.value, 1 - s.value - err, 1 - s.value + err}
}

// cpuCauses are the causes in groups of functions, and the sum of the shares of groups with one. A share of the change of CPU time is one
// of the wall time as far as the benchmark's goroutine ran longer. parking is the share of what parks and wakes goroutines, if waiting
// changed.
func (e *Evidence) cpuCauses(l Ledger) (all []Cause, named sum, parking Share) {
	whole, ran := delta(e.CPU), e.ran()
	if l == OfInstructions {
		whole, ran = Measure{Value: e.added()}, 1
	}
	if l == OfNothing || ran == 0 || whole.Value*(e.Wall[1].Value-e.Wall[0].Value) < 0 && l == OfTime {
		return nil, named, parking
	}
	groups := e.groups()
	for _, g := range groups {
		causes, parts := e.causesOf(g)
		change := g.cpu
		if l == OfInstructions {
			change = Measure{Value: g.added}
		} else if len(causes) > 0 && causes[0].Exact {
			change = e.combined(g)
		}
		if change.Value == 0 || math.Abs(change.Value) <= surely(causes, len(groups))*change.Err {
			continue
		}
		if g.waiting && l == OfTime {
			parking = shareOf(change, whole).times(ran)
			continue
		}
		for i, c := range causes {
			c.Share = shareOf(Measure{change.Value * parts[i], change.Err * math.Abs(parts[i])}, whole).times(ran)
			c.Joint = len(causes) > 1 && !e.Counted
			all = append(all, c)
		}
		if len(causes) > 0 {
			named = named.plus(shareOf(change, whole).times(ran))
		}
	}
	return all, named, parking
}

// surely returns how many standard errors a change must be away from none. Where no count supports a cause, one of n groups must not
// be named by chance: that is Bonferroni's correction.
func surely(causes []Cause, n int) float64 {
	if slices.ContainsFunc(causes, func(c Cause) bool { return c.Exact }) {
		return z95
	}
	return math.Sqrt2 * math.Erfinv(1-0.05/float64(max(1, n)))
}

// spreadOfRates is the standard error, as a part of it, of the time of an instruction of one function taken for that of another.
const spreadOfRates = 0.5

// combined returns the change of a group's CPU time by its samples and by its added instructions, each taken to be as long as
// the average one of the program: their mean, weighted by their variances. If they contradict each other, samples count.
func (e *Evidence) combined(g *group) Measure {
	all := e.instructions()
	if !e.Counted || all == 0 || math.IsInf(g.cpu.Err, 0) {
		return g.cpu
	}
	predicted := g.added / all * e.CPU[0].Value
	err := spreadOfRates * math.Abs(predicted)
	const apart = 3
	if err == 0 || g.cpu.Err == 0 || math.Abs(predicted-g.cpu.Value) > apart*math.Hypot(err, g.cpu.Err) {
		return g.cpu
	}
	a, b := 1/(g.cpu.Err*g.cpu.Err), 1/(err*err)
	return Measure{(a*g.cpu.Value + b*predicted) / (a + b), math.Sqrt(1 / (a + b))}
}

// ran returns which part of the difference the benchmark's goroutine ran, and did not wait; 1 where that is not known.
func (e *Evidence) ran() float64 {
	d := e.Wall[1].Value - e.Wall[0].Value
	const nearlyAll = 0.95 // the rest are pauses of the trace itself
	switch {
	case !e.waitsChanged() && e.allocationsChanged(): // the collector had its processor
		return 1
	case !e.Running[0].known() && !e.Running[1].known() || d == 0,
		e.Running[0].Value > nearlyAll*e.Wall[0].Value && e.Running[1].Value > nearlyAll*e.Wall[1].Value:
		return 1
	}
	return min(1, max(0, (e.Running[1].Value-e.Running[0].Value)/d))
}

// timed reports whether the samples and times that there are can tell which function a difference is in.
func (e *Evidence) timed() bool { return e.ledger() == OfTime }

// ledger returns what shares are of: of time, if the difference is large enough for the samples that there are, and the CPU time of
// their forks is known to a quarter of it.
func (e *Evidence) ledger() Ledger {
	change := math.Abs(e.Wall[1].Value/e.Wall[0].Value - 1)
	samples := min(e.Samples[0], e.Samples[1])
	const sure = 4 // standard errors
	if d := delta(e.CPU); math.Abs(d.Value) < sure*d.Err && e.Counted && e.ran() > 0.5 {
		samples = 0
	}
	switch {
	case samples > 0 && (change >= leastByTime || change >= leastByMany && samples >= manySamples):
		return OfTime
	case e.Counted && e.added()*(e.Wall[1].Value-e.Wall[0].Value) > 0: // fewer instructions do not make anything slower
		return OfInstructions
	case len(e.Waits) > 0:
		return OfTime
	}
	return OfNothing
}

// added returns the change of all instructions.
func (e *Evidence) added() (sum float64) {
	for _, f := range e.Functions {
		sum += f.Instructions[1] - f.Instructions[0]
	}
	return sum
}

// changed reports whether a wait is surely longer or shorter.
func (w *Wait) changed() bool {
	d := delta(w.Time)
	return math.Abs(d.Value) > z95*d.Err
}

// waitWords are what functions do that wait.
var waitWords = map[WaitCause]string{
	Lock: "waits %s for a lock", Channel: "waits %s at a channel", Network: "waits %s for the network", Sleep: "sleeps %s", GCAssist: "waits %s for the garbage collector",
	Select: "waits %s in a select", Syscall: "spends %s in system calls", Runnable: "waits %s for a processor",
}

// words says that a wait became longer or shorter.
func (w *Wait) words(change float64) string {
	longer := more(change, "longer", "less long")
	if w.Cause == Syscall {
		longer = more(change, "more time", "less time")
	}
	what := short(w.Place.Func) + " " + fmt.Sprintf(waitWords[w.Cause], longer)
	if w.Cause == Lock && w.Holder.Func != "" {
		what += " that " + short(w.Holder.Func) + " holds"
	}
	return what
}

// waitCauses are what goroutines waited for longer. What parks and wakes them is added to the longest.
func (e *Evidence) waitCauses(whole Measure, parking Share) (out []Cause) {
	longest := -1
	for i := range e.Waits {
		w := &e.Waits[i]
		if !w.changed() {
			continue
		}
		d := delta(w.Time)
		c := Cause{Kind: CauseWait, Wait: w.Cause, Func: w.Place.Func, Place: [2]Place{w.Place, w.Place}, Share: shareOf(d, whole)}
		if !w.Own {
			c.Share = Share{math.NaN(), min(0, c.Share.Value), min(1, max(0, c.Share.Value))}
		}
		c.What = w.words(d.Value)
		c.Evidence = []string{fmt.Sprintf("%+.4g ns/op", d.Value)}
		if w.Cause != GCAssist && w.Cause != Runnable && d.Value > 0 == (whole.Value > 0) && (longest < 0 || c.rank() > out[longest].rank()) {
			longest = len(out)
		}
		out = append(out, c)
	}
	if longest >= 0 && e.Workers*whole.Value < 0 && !math.IsNaN(out[longest].Share.Value) {
		c := &out[longest]
		c.Evidence = append(c.Evidence, fmt.Sprintf("instead of %.4g ns/op in a WaitGroup", math.Abs(e.Workers)))
		c.Share = c.Share.and(shareOf(Measure{Value: e.Workers}, whole))
	}
	if longest >= 0 && parking.excludesZero() {
		c := &out[longest]
		c.Evidence = append(c.Evidence, fmt.Sprintf("%.0f %% of it are spinning, parking and waking, runtime and kernel", 100*parking.Value))
		c.Share = c.Share.and(parking)
	}
	return out
}

// layoutCause is the placement of code: nothing else changed, and other placements of both sides take the same time.
func (e *Evidence) layoutCause(whole Measure, others []Cause) (Cause, bool) {
	l := e.Layouts
	if l == nil || slices.ContainsFunc(others, func(c Cause) bool { return !c.Where }) {
		return Cause{}, false
	}
	if !e.allSame() {
		return Cause{}, false
	}
	overlap := l.Range[0][0] <= l.Range[1][1] && l.Range[1][0] <= l.Range[0][1]
	if !overlap || math.Abs(l.Ratio.Value-1) > z95*l.Ratio.Err {
		return Cause{}, false
	}
	v := 1 - (l.Ratio.Value-1)*e.Wall[0].Value/whole.Value
	return Cause{
		Kind: CauseLayout, What: "the same machine code lies at other addresses", Share: Share{v, max(0, v-z95*l.Ratio.Err*e.Wall[0].Value/math.Abs(whole.Value)), 1},
		Evidence: []string{fmt.Sprintf("other placements: A %.4g … %.4g ns/op, B %.4g … %.4g", l.Range[0][0], l.Range[0][1], l.Range[1][0], l.Range[1][1])},
	}, true
}

// SameEverywhere reports whether the machine code that the benchmark reaches is the same on both sides: other layouts of it can tell
// whether its placement makes the difference.
func (e *Evidence) SameEverywhere() bool { return e.allSame() && len(e.Settings) == 0 }

// allSame reports whether the machine code of all functions that the benchmark reaches is the same on both sides, also of those
// that prepare its data.
func (e *Evidence) allSame() bool {
	if e.SameCode {
		return true
	}
	for base := range e.Code[0] {
		if same, _ := e.sameCode(base); !same {
			return false
		}
	}
	return len(e.Code[0]) > 0 && len(e.Code[0]) == len(e.Code[1])
}
