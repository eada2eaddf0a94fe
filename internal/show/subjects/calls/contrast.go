package calls

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/show/subjects/profile"
	"github.com/tarebench/tare/record"
)

// Runs is how long the program took by the clock: by itself, with probes, and while it was
// sampled. Where one is 0, the cost of watching is what the watcher says of itself.
type Runs struct{ Plain, Traced, Sampled time.Duration }

// Finding is what comes of looking at a function in both ways.
type Finding string

// The findings.
const (
	Agree     Finding = "agree"     // within what sampling is off by chance
	Missed    Finding = "missed"    // sampling did not see it, as it had to be expected
	Unseen    Finding = "unseen"    // sampling did not see it, though it is long enough
	Distorted Finding = "distorted" // the traced time is mostly, or by more than chance, that of probes
	Waits     Finding = "waits"     // it takes more time by the clock than on a processor, which is what was sampled
	Differ    Finding = "differ"    // by more than chance: the two runs were different
	Untimed   Finding = "untimed"   // calls were only counted, or none has ended
)

// Seen is what tracing and sampling measured of one function. Times are in ns.
type Seen struct {
	Name       string  `json:"name"`
	Calls      int64   `json:"calls"`
	Traced     float64 `json:"traced_ns"`                      // total, raw
	Corrected  float64 `json:"corrected_ns"`                   // without probes
	Unreliable bool    `json:"corrected_unreliable,omitempty"` // it may be off by more than a fifth
	Sampled    float64 `json:"sampled_ns"`                     // total: itself, and what it called
	Error      float64 `json:"sampled_error_ns"`               // standard error of Sampled, by chance alone
	Call       float64 `json:"call_ns"`                        // mean length, without probes
	One        float64 `json:"chance"`                         // that one call is seen, if it begins at random between two samples
	Any        float64 `json:"chance_any"`                     // that any of them is
	Finding    Finding `json:"finding"`

	rec *record.TraceFunc
	at  int // of Trace.Funcs
}

// Contrast is counting and sampling side by side.
type Contrast struct {
	calls *Calls
	view  *profile.View
	how   *record.Sampled
	runs  Runs

	Functions []Seen             // that were called, most traced time first
	Others    []profile.Function // that sampling saw itself and that have no probes, most first
}

// NewContrast puts what was traced beside what was sampled of the same program in another
// run. p is the profile that goes with s.
func NewContrast(c *Calls, s *record.Sampled, p *pprof.Profile, runs Runs) (*Contrast, error) {
	if c == nil || s == nil || p == nil {
		return nil, fmt.Errorf("contrast: want a trace, a sampled and its profile; one is missing")
	}
	kind := record.TypeWall
	if s.Mode == record.SampledCPU {
		kind = record.TypeCPU
	}
	v, err := profile.New(byOrigin(p), profile.Config{Type: kind, How: s, Blocked: true})
	if err != nil {
		return nil, fmt.Errorf("contrast: %w", err)
	}
	out := &Contrast{calls: c, view: v, how: s, runs: runs}
	seen := map[string]profile.Function{}
	for _, f := range v.Functions {
		seen[f.Name] = f
	}
	traced := map[string]bool{}
	for i := range c.t.Funcs {
		f := &c.t.Funcs[i]
		traced[f.Name] = true
		if f.Calls > 0 {
			out.Functions = append(out.Functions, out.compare(i, seen[f.Name]))
		}
	}
	slices.SortStableFunc(out.Functions, func(a, b Seen) int {
		return cmp.Or(cmp.Compare(b.Traced, a.Traced), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Name, b.Name))
	})
	for _, f := range v.Functions {
		if !traced[f.Name] && f.Self > 0 {
			out.Others = append(out.Others, f)
		}
	}
	return out, nil
}

// byOrigin returns a profile in which instances of a generic function have one name, that which
// stack traces and traces have for it: F[...] for F[go.shape.int].
func byOrigin(p *pprof.Profile) *pprof.Profile {
	if !slices.ContainsFunc(p.Function, func(f *pprof.Function) bool { return origin(f.Name) != f.Name }) {
		return p
	}
	p = p.Copy()
	for _, f := range p.Function {
		f.Name = origin(f.Name)
	}
	return p
}

// origin returns the name of a function without its type arguments.
func origin(name string) string {
	head, rest, ok := strings.Cut(name, "[")
	depth := 1
	for i := range len(rest) {
		switch rest[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			return head + "[...]" + origin(rest[i+1:])
		}
	}
	if ok {
		return name // no name of Go's
	}
	return head
}

// several reports whether sampling has found more than one goroutine, the times of which are one sum.
func (x *Contrast) several() bool {
	return x.how.Mode == record.SampledWall && x.how.Goroutines > 1
}

// interval returns the mean time between samples, in ns.
func (x *Contrast) interval() float64 {
	if x.how.Achieved > 0 {
		return x.how.Achieved
	}
	return float64(x.how.Interval)
}

// compare puts what probes and samples say of a function side by side.
func (x *Contrast) compare(i int, seen profile.Function) Seen {
	f := &x.calls.t.Funcs[i]
	out := Seen{Name: f.Name, Calls: f.Calls, Traced: f.Total, Corrected: f.Corrected, Sampled: float64(seen.Total), rec: f, at: i}
	out.Error = seen.TotalValueError
	if x.calls.timed() && f.Timed > 0 {
		// Of functions that call themselves, the length of a call is that of an outer one, at least.
		out.Unreliable = x.calls.unreliable(x.calls.netTotal(i))
		out.Call = max(0, f.Mean*ratio(f.Corrected, f.Total))
		out.One = profile.Seen(x.how, out.Call)
		out.Any = anyOf(out.One, separateCalls(f))
		out.Error = max(out.Error, x.chance(&out))
	}
	out.Finding = x.find(f, &out)
	return out
}

// anyOf returns the probability that at least one of n calls is seen if each is seen with probability p.
func anyOf(p, n float64) float64 {
	switch {
	case n <= 0:
		return 0
	case p >= 1:
		return 1
	}
	return max(0, -math.Expm1(n*math.Log1p(-p)))
}

func ratio(a, b float64) float64 {
	if !(b > 0) {
		return 1
	}
	return min(max(a/b, 0), 1)
}

// chance returns the standard error of what samples at a fixed interval find of so many calls that
// begin at random: each is seen ⌊d/i⌋ times or once more, which is off by i·√(p(1-p))
// where d < i and p = d/i, and by i/2 at most where it is longer.
func (x *Contrast) chance(s *Seen) float64 {
	p := min(s.One, 1)
	if p >= 0.5 {
		p = 0.5
	}
	return x.interval() * math.Sqrt(separateCalls(s.rec)*p*(1-p))
}

// separateCalls returns how many calls of a function of their mean length would take its time if none
// was made during another: what samples may find, of one that calls itself.
func separateCalls(f *record.TraceFunc) float64 {
	if !(f.Mean > 0) {
		return float64(f.Calls)
	}
	return min(float64(f.Calls), f.Total/f.Mean)
}

// find returns what the two figures mean together.
func (x *Contrast) find(f *record.TraceFunc, s *Seen) Finding {
	const (
		sure   = 0.95 // a chance that is as good as sure
		errors = 2    // standard errors that are no chance any more
		much   = 0.05 // a share of the time that is worth a word
		few    = 30   // samples, of which a single call has its edges, and runs their moods
	)
	if !x.calls.timed() || f.Timed == 0 {
		return Untimed
	}
	far := func(traced float64) bool {
		off := math.Hypot(s.Error, f.Error)
		if samples := max(traced, s.Sampled) / x.interval(); samples < few {
			off = max(off, x.interval()*math.Sqrt(samples)) // as if they came at random
		}
		return math.Abs(traced-s.Sampled) > errors*off+much*traced
	}
	corrected := s.Corrected
	if off := x.calls.off(x.calls.netTotal(s.at)); math.Abs(s.Sampled-corrected) <= off {
		corrected = s.Sampled // it may be
	}
	cpu := x.how.Mode == record.SampledCPU
	switch {
	case f.Probes():
		return Distorted
	case s.Sampled == 0 && s.Any < sure:
		return Missed
	case far(s.Traced) && s.Traced > s.Sampled && !far(corrected):
		return Distorted
	case s.Sampled == 0 && !cpu:
		return Unseen
	case cpu && far(corrected) && corrected > s.Sampled:
		return Waits
	case far(corrected):
		return Differ
	}
	return Agree
}
