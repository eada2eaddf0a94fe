package attached

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Waits says what goroutines waited for while a benchmark was measured: means over the forks that were traced, because
// means add up and medians do not. See [record.Waits] for what the figures are.
type Waits struct {
	Forks  int         `json:"forks"`
	Traced stat.Number `json:"traced"` // share of the windows that is in the traces, the least

	// Wall is the length of the windows: OwnRunning + the Own of all Causes + Rest.
	Wall       stat.Number `json:"wall_ns/op"`
	OwnRunning stat.Number `json:"own_running_ns/op"`
	Rest       stat.Number `json:"rest_ns/op"`

	Causes []WaitCause `json:"causes"` // most time first
	Sites  []WaitSite  `json:"sites"`  // most time first
}

// WaitCause is all time for which goroutines waited for one kind of thing.
type WaitCause struct {
	Cause string      `json:"cause"`    // record.WaitLock …
	Count stat.Number `json:"waits/op"` // waits
	Time  stat.Number `json:"ns/op"`    // of all goroutines
	Own   stat.Number `json:"own_ns/op"`

	times []float64 // one per fork, ns/op
}

// WaitSite is a line at which goroutines waited, and the line that ended it.
type WaitSite struct {
	WaitCause
	At   record.WaitPlace  `json:"at"`
	Path []string          `json:"path,omitempty"`
	By   *record.WaitPlace `json:"by,omitempty"`
}

// Blocked returns the time for which goroutines were blocked, in ns/op, without the waiting of the benchmark's own
// goroutine for its workers: what these do is time of theirs.
func (w *Waits) Blocked() float64 {
	sum := 0.0
	for _, c := range w.Causes {
		if c.Cause != record.WaitWorkers && c.Cause != record.WaitSyscall && c.Cause != record.WaitRunnable {
			sum += float64(c.Time)
		}
	}
	return sum
}

// MeanWaits returns what the traced forks come to, nil if there are none. A site that a fork does not list counts as 0
// there.
func MeanWaits(traced []*record.Waits) *Waits {
	if len(traced) == 0 {
		return nil
	}
	out := &Waits{Forks: len(traced), Traced: 1, Causes: []WaitCause{}, Sites: []WaitSite{}}
	causes, sites := newWaitSums(len(traced)), newWaitSums(len(traced))
	var wall, running, rest float64
	for i, w := range traced {
		per := 1 / (w.Traced * float64(w.Ops))
		out.Traced = min(out.Traced, stat.Number(w.Traced))
		wall += float64(w.Wall) / float64(w.Ops)
		running += float64(w.OwnRunning) * per
		rest += float64(w.Rest) * per
		for j := range w.Causes {
			causes.add(i, per, &record.WaitSite{WaitCause: w.Causes[j]})
		}
		for j := range w.Sites {
			sites.add(i, per, &w.Sites[j])
		}
	}
	n := float64(len(traced))
	out.Wall, out.OwnRunning, out.Rest = stat.Number(wall/n), stat.Number(running/n), stat.Number(rest/n)
	for _, s := range causes.sorted() {
		out.Causes = append(out.Causes, s.WaitCause)
	}
	out.Sites = append(out.Sites, sites.sorted()...)
	out.Sites = out.Sites[:min(len(out.Sites), maxWaitSites)]
	return out
}

// maxWaitSites is the maximum number of sites.
const maxWaitSites = 100

// waitKey identifies a site at which goroutines wait.
type waitKey struct {
	cause  string
	at, by record.WaitPlace
}

// waitSums are sums over forks.
type waitSums struct {
	forks int
	of    map[waitKey]*WaitSite
	path  map[waitKey]int64 // time at the fork that the path is of
}

func newWaitSums(forks int) *waitSums {
	return &waitSums{forks, map[waitKey]*WaitSite{}, map[waitKey]int64{}}
}

// add adds a site of fork i. per is the factor from its sums to an operation.
func (s *waitSums) add(i int, per float64, x *record.WaitSite) {
	k := waitKey{cause: x.Cause, at: x.At}
	if x.By != nil {
		k.by = *x.By
	}
	site := s.of[k]
	if site == nil {
		site = &WaitSite{WaitCause: WaitCause{Cause: x.Cause, times: make([]float64, s.forks)}, At: x.At, By: x.By}
		s.of[k] = site
	}
	if x.Time >= s.path[k] {
		s.path[k], site.Path = x.Time, x.Path
	}
	site.times[i] += float64(x.Time) * per
	mean := per / float64(s.forks)
	site.Count += stat.Number(float64(x.Count) * mean)
	site.Time += stat.Number(float64(x.Time) * mean)
	site.Own += stat.Number(float64(x.Own) * mean)
}

func (s *waitSums) sorted() []WaitSite {
	out := make([]WaitSite, 0, len(s.of))
	for _, x := range s.of {
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b WaitSite) int { return compareWaits(&a, &b) })
	return out
}

// compareWaits puts sites with more time first.
func compareWaits(a, b *WaitSite) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Cause, b.Cause), comparePlaces(&a.At, &b.At), comparePlaces(a.By, b.By))
}

// comparePlaces orders places; nil is like one that is not known.
func comparePlaces(a, b *record.WaitPlace) int {
	var none record.WaitPlace
	a, b = cmp.Or(a, &none), cmp.Or(b, &none)
	return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Op, b.Op))
}
