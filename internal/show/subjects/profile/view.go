package profile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// Config says what of a profile is shown. The zero value is all of it.
type Config struct {
	// Type is the sample type that counts: "cpu", "wall", "samples", …. Default: the one that the profile prefers.
	Type string

	// How the samples were taken, if it was by looking now and then. Without it, shares are exact.
	How *record.Sampled

	// Program is the name of what ran, where How does not tell.
	Program string

	// Warnings are warnings about what is shown.
	Warnings []Warning

	// Top is how many functions and paths a text has at most; 0 is 20, and less than 0 is all.
	Top int

	// Blocked includes the time in which goroutines were blocked in what tables and flame graphs count. Without it,
	// that time has a column and a flame graph of its own. It is included, too, where no goroutine ran.
	Blocked bool

	// Path adds "parent > function" to a text, if it is known what was seen twice in a row.
	Path bool

	textpage.Selection
}

// Validate returns all that is wrong.
func (c Config) Validate() error {
	var errs []error
	if !slices.Contains([]string{"", textpage.SortSelf, textpage.SortTotal}, c.Sort) {
		errs = append(errs, fmt.Errorf("profile: no order %q: there are %s and %s", c.Sort, textpage.SortSelf, textpage.SortTotal))
	}
	if c.How != nil {
		if err := c.How.Validate(); err != nil {
			errs = append(errs, fmt.Errorf("profile: %w", err))
		}
	}
	return errors.Join(errs...)
}

// View is what a profile comes to.
type View struct {
	Type, Unit string
	Total      int64 // of the type, over all stacks that count
	Blocked    int64 // part of Total: goroutines waited for a channel, a lock, a timer or the network
	Harness    int64 // part of Total, none of Blocked: package testing waited for what it runs
	Shown      int64 // part of Total that tables and flame graphs count shares of
	Kept       int64 // part of Shown in the stacks that Config.Focus and Config.Ignore leave
	Functions  []Function
	CountType  string   // of Function.Count: "samples", "calls"; "" if nothing is counted besides
	Edges      []Edge   // empty unless it is known what was seen twice in a row
	Reasons    []Reason // empty unless the samples tell states

	cfg            Config
	how            *record.Sampled
	program        string
	warnings       []Warning
	p              *pprof.Profile
	index          int                   // of Type
	stacks         []stack               // those that are shown
	files          map[string]string     // of functions, by name
	known          []record.SampledError // of all functions; empty: of none
	draws          float64               // independent samples, at most; 0: shares are exact
	excludeBlocked bool                  // blocked time is not in what tables and flame graphs count
	inAll          float64               // what all samples are worth for one goroutine that each finds; of the unit
}

// Function is a function by itself, and with what it called.
type Function struct {
	Name        string
	File        string
	Self, Total int64

	RunningSelf, RunningTotal int64 // parts of Self and Total in which goroutines were neither blocked nor the harness
	BlockedSelf, BlockedTotal int64 // parts of Self and Total in which goroutines were blocked

	Count int64 // how often it was found in itself, or called, of CountType

	SelfError, TotalError float64 // standard errors of the shares of all; 0: exact

	SelfValueError, TotalValueError float64 // standard errors of Self and Total themselves, of their unit; 0: exact
}

// Edge is a function that was called by another, and found there twice in a row.
type Edge struct {
	Parent   string // "": no parent
	Function string
	Value    int64 // ns, all of it
	Running  int64 // part of Value in which goroutines were not blocked
	Blocked  int64 // part of Value in which goroutines were blocked; of package testing it is in neither
}

// Reason is what goroutines did, and if they waited, for what.
type Reason struct {
	State, Reason string
	Value         int64
	Functions     []Function // where: by what was found, most first
}

// stack is a sample: names from the outermost in, and its value.
type stack struct {
	names         []string
	value, count  int64
	did           activity
	state, reason string // "": not known
}

// New returns a view of a profile. It keeps the profile, which must not be changed afterwards.
func New(p *pprof.Profile, c Config) (*View, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	i, err := typeIndex(p, c.Type)
	if err != nil {
		return nil, err
	}
	v := &View{Type: p.SampleType[i].Type, Unit: p.SampleType[i].Unit, how: c.How, warnings: c.Warnings, cfg: c, index: i}
	v.p, v.program = p, c.Program
	if c.How != nil {
		v.program = c.How.Program
	}
	if c.How != nil && v.Type == record.TypeWall && !c.Narrows() {
		v.known = c.How.Errors
	}
	v.count()
	v.addSums()
	v.narrow()
	v.functions()
	v.edges()
	v.Reasons = v.reasonsOf(v.stacks)
	return v, nil
}

func label(s *pprof.Sample, name string) string {
	if l := s.Label[name]; len(l) > 0 {
		return l[0]
	}
	return ""
}

// count collects the stacks, and how much evidence there is.
func (v *View) count() {
	var samples int64
	counts := slices.IndexFunc(v.p.SampleType, func(t *pprof.ValueType) bool { return t.Type == record.TypeSamples })
	besides := slices.IndexFunc(v.p.SampleType, func(t *pprof.ValueType) bool { return t.Unit == "count" && t.Type != v.Type })
	if besides >= 0 {
		v.CountType = v.p.SampleType[besides].Type
	}
	for _, s := range v.p.Sample {
		if counts >= 0 {
			samples += max(0, s.Value[counts])
		}
		value := s.Value[v.index]
		if value <= 0 { // a difference of two profiles has negative ones, which have no share
			continue
		}
		v.Total += value
		x := stack{names: names(s), value: value, state: label(s, record.LabelState), reason: label(s, record.LabelReason)}
		x.did = activityOf(s, x.names)
		if besides >= 0 {
			x.count = s.Value[besides]
		}
		v.stacks = append(v.stacks, x)
	}
	v.evidence(samples)
}

// names returns the functions of a sample, the outermost first.
func names(s *pprof.Sample) []string {
	var out []string
	for _, l := range slices.Backward(s.Location) {
		if len(l.Line) == 0 {
			out = append(out, fmt.Sprintf("%#x", l.Address))
		}
		for _, line := range slices.Backward(l.Line) {
			out = append(out, functionName(line.Function))
		}
	}
	if len(out) == 0 {
		return []string{unknown}
	}
	return out
}

const unknown = "(unknown)"

func functionName(f *pprof.Function) string {
	if f == nil {
		return unknown
	}
	return cmp.Or(f.Name, f.SystemName, unknown)
}

// functions adds up by function.
func (v *View) functions() {
	v.Functions = v.byFunction(v.stacks)
	v.files = map[string]string{}
	for _, f := range v.p.Function {
		v.files[functionName(f)] = f.Filename
	}
	for i := range v.Functions {
		v.Functions[i].File = v.files[v.Functions[i].Name]
	}
	v.addErrors(v.Functions, v.known, v.Total)
	v.addActivity()
}

func (v *View) byFunction(stacks []stack) []Function {
	at := map[string]*Function{}
	get := func(name string) *Function {
		if at[name] == nil {
			at[name] = &Function{Name: name}
		}
		return at[name]
	}
	for _, s := range stacks {
		leaf := get(s.names[len(s.names)-1])
		leaf.Self += s.value
		leaf.Count += s.count
		for _, name := range once(s.names) {
			get(name).Total += s.value
		}
	}
	out := make([]Function, 0, len(at))
	for _, f := range at {
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// once returns the names without those that come again, as in recursion.
func once(names []string) []string {
	out := slices.Clone(names)
	slices.Sort(out)
	return slices.Compact(out)
}

// Share returns a part of the total.
func (v *View) Share(value int64) float64 { return shareOf(value, v.Total) }

// shareOf returns a part of a sum, 0 for one of nothing.
func shareOf(value, all int64) float64 {
	if all == 0 {
		return 0
	}
	return float64(value) / float64(all)
}

// edges adds up what was seen twice in a row, by caller and function.
func (v *View) edges() {
	i := slices.IndexFunc(v.p.SampleType, func(t *pprof.ValueType) bool { return t.Type == record.TypeTwice })
	if i < 0 {
		return
	}
	at := map[[2]string]*Edge{}
	for _, s := range v.p.Sample {
		n := names(s)
		if !v.cfg.Keeps(n) {
			continue
		}
		k := [2]string{"", n[len(n)-1]}
		if len(n) > 1 {
			k[0] = n[len(n)-2]
		}
		value := max(0, s.Value[i])
		if value == 0 {
			continue
		}
		e := at[k]
		if e == nil {
			e = &Edge{Parent: k[0], Function: k[1]}
			at[k] = e
		}
		e.Value += value
		switch activityOf(s, n) {
		case running:
			e.Running += value
		case blocked:
			e.Blocked += value
		}
	}
	for _, e := range at {
		v.Edges = append(v.Edges, *e)
	}
	slices.SortFunc(v.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Parent, b.Parent), cmp.Compare(a.Function, b.Function))
	})
}

// reasonsOf adds up stacks by state and reason.
func (v *View) reasonsOf(of []stack) (out []Reason) {
	at := map[[2]string][]stack{}
	for _, s := range of {
		if s.state != "" {
			k := [2]string{s.state, s.reason}
			at[k] = append(at[k], s)
		}
	}
	for k, stacks := range at {
		r := Reason{State: k[0], Reason: k[1], Value: sum(stacks), Functions: v.byFunction(stacks)}
		v.addErrors(r.Functions, nil, v.Total) // of one state, what is known of all is none
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.State, b.State), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}
