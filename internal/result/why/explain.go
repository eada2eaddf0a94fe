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
	a := Answer{Rest: Share{1, 1, 1}, Basis: e.basis()}
	if e.Machine != "" && a.Basis != OfInstructions {
		a.Basis, a.Notes = OfNothing, []string{"no cause is named: " + e.Machine}
		return a
	}
	if e.MachineNote != "" {
		a.Notes = append(a.Notes, e.MachineNote)
	}
	settings := e.settingCauses()
	all, named := e.divide(a.Basis)
	switch {
	case e.Machine != "":
		a.Notes = append(a.Notes, e.Machine+"; so times count for nothing here, and only counts name causes")
	case len(settings) == 0 && e.allSame() && !slices.ContainsFunc(all, func(c Cause) bool { return !c.Where }):
		all, named = nil, named.none() // a function that is slower at random
		a.Notes = append(a.Notes, e.sameNote())
	}
	all = slices.DeleteFunc(all, func(c Cause) bool {
		return !math.IsNaN(c.Share.Value) && (!c.Share.excludesZero() || math.Abs(c.Share.Value) < least)
	})
	slices.SortStableFunc(all, func(x, y Cause) int { return cmpFloat(y.rank(), x.rank()) })
	a.Rest = named.rest()
	if e.settingsOnly() && len(settings) > 0 {
		a.Rest = Share{}
		if len(all) > 0 {
			a.Notes = append(a.Notes, "the sources are the same: the other causes are what the settings did")
		}
	}
	a.Causes = append(settings, all...)
	return a
}

// divide returns the causes with their shares, and the sum of the shares of what has a cause.
func (e *Evidence) divide(l Basis) ([]Cause, sum) {
	all, named, parking := e.cpuCauses(l)
	if l == OfTime {
		for _, c := range e.waitCauses(delta(e.Wall), parking) {
			all = append(all, c)
			named = named.plus(c.Share)
		}
	}
	if c, ok := e.layoutCause(delta(e.Wall), all); ok {
		return []Cause{c}, named.none().plus(c.Share)
	}
	return all, named
}

// sameNote says that the code is the same.
func (e *Evidence) sameNote() string {
	note := "the machine code that runs is the same on both sides"
	const worth = 0.01
	if math.Abs(e.Wall[1].Value/e.Wall[0].Value-1) > worth {
		note += ": what differs is where it lies in memory, or the machine"
	}
	return note
}

// settingsOnly reports whether nothing but settings can have made the difference.
func (e *Evidence) settingsOnly() bool { return e.SameText && e.Machine == "" }

// settingCauses are the settings that differ. If the sources are the same, nothing else made the difference.
func (e *Evidence) settingCauses() (out []Cause) {
	share := Share{math.NaN(), 0, 1}
	if e.settingsOnly() {
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

// timed reports whether the samples and times that there are can tell which function a difference is in.
func (e *Evidence) timed() bool { return e.basis() == OfTime }

// basis returns what shares are of: of time, if the difference is large enough for the samples that there are, and the CPU time of
// their forks is known to a quarter of it.
func (e *Evidence) basis() Basis {
	change := math.Abs(e.Wall[1].Value/e.Wall[0].Value - 1)
	samples := min(e.Samples[0], e.Samples[1])
	const sure = 4 // standard errors
	if d := delta(e.CPU); math.Abs(d.Value) < sure*d.Err && e.Counted && e.ran() > 0.5 {
		samples = 0
	}
	if e.Machine != "" {
		samples = 0
	}
	switch {
	case samples > 0 && (change >= leastByTime || change >= leastByMany && samples >= manySamples):
		return OfTime
	case e.Counted && e.added()*(e.Wall[1].Value-e.Wall[0].Value) > 0: // fewer instructions do not make anything slower
		return OfInstructions
	case len(e.Waits) > 0 && e.Machine == "":
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
