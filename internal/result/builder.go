package result

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/numbers/conditions"
	"github.com/tarebench/tare/record"
)

// A Builder gathers the lines of one record. The zero value is not usable; see
// [NewBuilder]. It is not safe for concurrent use.
type Builder struct {
	run        *record.Run
	bins       map[int]*record.Bin
	cases      []*caseData
	byID       map[int]*caseData
	byIdentity map[identity][]*caseData // of the first so many cases, see sharingN
	indexed    int
	ended      map[int]bool // forks whose line came
	hists      map[int][]*record.Hist
	tare       record.Overhead
	emptyLoops map[int][]record.EmptyLoop // by the ID of the binary
	warns      []record.Warn
	analysis   *record.InterimAnalysis // the last one
	end        *record.End
	bisect     *record.Bisect // the last one
	added      bool           // forks, since those that count were chosen
	load       loadData
	selftest   selftestData
	passes     conditions.Passes
	thresholds func(*record.Case) float64 // of single benchmarks, instead of those in the record; nil: those count
	compiled   map[int]*record.Compiled   // by the ID of the binary

	wholeNames    bool
	by            string               // key of names whose values are sides, "" if sides are the record's
	compilerNotes []CompilerDifference // of the first so many of compiled
	compared      int

	archived    bool                      // the sides are absorbed records
	absorbed    map[string]*absorbedRun   // by side
	ofSides     []derivedWarning          // about the runs of absorbed records
	warnsBy     map[subject][]record.Warn // warns, as far as warnsSorted
	warnsSorted int
	ofRun       []derivedWarning // about the run of the Result that is made, which each row is held against

	// Of forks that have not ended, by their IDs.
	open         map[int]*gathering
	attached     map[int]*forkAttachments
	forkWarnings map[int][]record.Warn
}

// caseData is a case with its forks in the order of the file.
type caseData struct {
	line     record.Case
	named    caseName   // as the record has it
	whole    string     // name as the record has it, where the value of a key in it is the side
	number   int        // of the cases with that name, from 0, see setName
	timed    []forkData // all good ones
	forks    []forkData // those of timed that count, see selectForks
	lost     lost       // of timed
	profiled []forkData // forks of profilers: their times are no scores
	failed   int
	rounds   map[int]bool   // with a fork, good or bad
	replaced *record.Replan // the last one
	sharing  []*caseData    // the same benchmark on other sides, with the same N
	lastFail *record.Fork
	warnings []forkWarning

	goroutines    []*record.Goroutines   // of forks that traced the scheduler
	waits         []*record.Waits        // of forks that traced the scheduler
	heaps         []*record.Heap         // of forks that read the heap
	allocs        []*record.Allocs       // of forks that counted allocations
	instructions  []*record.Instructions // of forks that counted them
	profiles      profiles
	profileFailed []*record.Fork // forks of profilers

	another *record.AnotherRun // nil: nothing is said about other runs
	config  *record.Config     // of the absorbed record it comes from; nil: that of the run
	hists   histograms
}

// caseName identifies a case of a record.
type caseName struct {
	pkg, name, side string
	procs           int
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	return &Builder{bins: map[int]*record.Bin{}, byID: map[int]*caseData{}, ended: map[int]bool{}, open: map[int]*gathering{}, attached: map[int]*forkAttachments{}, forkWarnings: map[int][]record.Warn{}, hists: map[int][]*record.Hist{}, compiled: map[int]*record.Compiled{}}
}

// Read builds the summary of a whole record file; name is for errors. If the
// file is damaged the summary of what could be read is returned with the errors
// joined. Of a file of several runs nothing is.
func Read(r io.Reader, name string) (*Result, error) {
	b := NewBuilder()
	err := b.ReadAll(r, name)
	if errors.As(err, new(*record.SecondRunError)) {
		return &Result{}, err
	}
	return b.Result(), err
}

// MaxDamaged is how many damaged lines are skipped before the rest of a file is left.
const MaxDamaged = 1000

// ReadAll adds every line of a record; name is for errors. It goes on after lines that
// cannot be read and returns their errors joined. It ends at a [record.SecondRunError].
func (b *Builder) ReadAll(in io.Reader, name string) error {
	var errs []error
	r := record.NewReader(in, name)
	for line, err := range r.All() {
		if err == nil {
			err = b.AddOf(line, r)
		}
		if err != nil {
			errs = append(errs, err)
		}
		if len(errs) == MaxDamaged || errors.As(err, new(*record.SecondRunError)) {
			break
		}
	}
	return errors.Join(errs...)
}

// Bins returns the binaries of the record, by their IDs.
func (b *Builder) Bins() map[int]*record.Bin { return b.bins }

// AddOf is Add for a line that r has just read. It does not add the line of a second
// run, but returns a [record.SecondRunError].
func (b *Builder) AddOf(line record.Line, r *record.Reader) error {
	if _, ok := line.(*record.Run); ok && b.run != nil {
		name, at := r.Pos()
		return &record.SecondRunError{Name: name, Line: at}
	}
	b.Add(line)
	return nil
}

// Add takes the next line of the record. A line of a kind that carries no
// figures is ignored. Secrets of addresses are hidden, which earlier versions
// of tare have written.
func (b *Builder) Add(line record.Line) {
	switch l := redact.Line(line).(type) {
	case *record.Run:
		b.addRun(l)
	case *record.Bin:
		b.bins[l.ID] = l
	case *record.Case:
		b.addCase(l)
		b.selftest.addCase(l)
	case *record.Sample:
		b.addSample(l)
		b.selftest.addSample(l)
	case *record.Hist:
		b.addHist(l)
	case *record.Fork:
		b.addFork(l)
	case *record.Load:
		b.load.addLoad(l)
	case *record.Stall:
		b.load.addStall(l)
	case *record.Agent:
		b.load.addAgent(l)
	case *record.Marks:
		b.load.addMarks(l)
	case *record.Attach:
		b.load.addAttach(l)
		b.addAttach(l)
	case *record.Replan:
		b.replan(l)
	case *record.Overhead:
		mergeTare(&b.tare, l)
		b.addEmptyLoops(l)
	case *record.Warn:
		w := diagnosis.Read(*l)
		b.addWarn(&w)
		b.selftest.warnings = append(b.selftest.warnings, w)
	case *record.AnotherRun:
		if c := b.byID[l.Case]; c != nil {
			c.another = l
		}
	case *record.Reference:
		b.passes.Add(l)
	case *record.InterimAnalysis:
		b.analysis = l
	case *record.Bisect:
		b.bisect = l
	case *record.End:
		b.end = l
	}
}

// addCase takes a case; a later line with the same ID is a correction, as a
// resumed run may write one.
func (b *Builder) addCase(l *record.Case) {
	c := b.byID[l.ID]
	if c == nil {
		c = &caseData{rounds: map[int]bool{}}
		b.cases = append(b.cases, c)
		b.byID[l.ID] = c
	}
	c.line = *l
	b.valueAsSide(c)
	c.named = caseName{l.Pkg, c.line.Name, c.line.Side, l.Procs}
	b.setName(c)
}

// replan drops the timed forks of a case, which had another N.
func (b *Builder) replan(l *record.Replan) {
	c := b.byID[l.Case]
	if c == nil {
		return
	}
	c.replaced = l
	c.timed, c.forks, c.hists, c.failed, c.lastFail = nil, nil, histograms{}, 0, nil
	c.warnings = slices.DeleteFunc(c.warnings, func(w forkWarning) bool { return w.purpose == record.PurposeTiming })
	c.rounds = map[int]bool{}
	b.added = true
}

// Conditions returns what else was busy during the run, also while it was measured before it was resumed.
func (b *Builder) Conditions() conditions.Conditions {
	b.selectForks()
	return b.passes.Conditions(lostBy(b.cases, "").shares)
}

func (b *Builder) addSample(l *record.Sample) {
	g := b.open[l.Fork]
	if g == nil {
		g = &gathering{}
		b.open[l.Fork] = g
	}
	g.add(l)
}

// addWarn keeps a warning about a fork with the fork, whose line comes later.
func (b *Builder) addWarn(l *record.Warn) {
	if l.About == record.AboutFork {
		b.forkWarnings[l.ID] = append(b.forkWarnings[l.ID], *l)
		return
	}
	if !b.load.addWarn(l) {
		b.warns = append(b.warns, *l)
	}
}

func (b *Builder) addFork(l *record.Fork) {
	samples, warnings, hists, attached := b.open[l.ID], b.forkWarnings[l.ID], b.hists[l.ID], b.attached[l.ID]
	delete(b.open, l.ID)
	delete(b.forkWarnings, l.ID)
	delete(b.hists, l.ID)
	delete(b.attached, l.ID)
	if attached == nil {
		attached = &forkAttachments{}
	}
	c := b.byID[l.Case]
	if c == nil || b.repeated(l) {
		return
	}
	if l.Purpose == record.PurposeTiming && l.State != record.StatePartial {
		c.rounds[l.Round] = true
	}
	b.selftest.addFork(l, c.line.Side)
	b.end = nil // whatever a resumed file said before, the run went on
	if record.OfProfiler(l.Purpose) && (l.State == record.StateOK || ofProgram(b.run)) {
		c.keepProfiles(l, attached)
	}
	if l.State != record.StateOK {
		c.addFailed(l)
		return
	}
	switch {
	case l.Purpose == record.PurposeTiming:
		c.timed = append(c.timed, samples.fork(l))
		b.added = true
		c.addForkWarnings(warnings, l.Purpose)
		b.count(c, hists)
		keep(&c.goroutines, attached.goroutines)
		keep(&c.waits, attached.waits)
	case record.OfProfiler(l.Purpose):
		c.profiled = append(c.profiled, samples.fork(l))
		c.addForkWarnings(warnings, l.Purpose)
		keep(&c.goroutines, attached.goroutines)
		keep(&c.waits, attached.waits)
		keep(&c.heaps, attached.heap)
		keep(&c.allocs, attached.allocs)
		keep(&c.instructions, attached.counted)
	}
}

// repeated reports whether a fork has been in the record before, and warns about it.
func (b *Builder) repeated(l *record.Fork) bool {
	if b.ended[l.ID] {
		b.warnRun(diagnosis.Warn(diagnosis.RepeatedForks, nil))
		return true
	}
	b.ended[l.ID] = true
	return false
}

// addFailed takes a fork that did not end well. One that was cut off says nothing.
func (c *caseData) addFailed(l *record.Fork) {
	switch {
	case l.State == record.StatePartial:
	case record.OfProfiler(l.Purpose):
		c.profileFailed = append(c.profileFailed, l)
	default:
		c.failed++
		c.lastFail = l
	}
}

// mergeTare overlays what a later line says over an earlier one. Lines about a
// single fork are left to those who ask for them.
func mergeTare(into *record.Overhead, l *record.Overhead) {
	if l.Fork != 0 {
		return
	}
	into.Priority = cmp.Or(l.Priority, into.Priority)
	into.Harness = cmp.Or(l.Harness, into.Harness)
	into.Others = cmp.Or(l.Others, into.Others)
	into.Clock = cmp.Or(l.Clock, into.Clock)
	into.Loop = cmp.Or(l.Loop, into.Loop)
	into.Probe = cmp.Or(l.Probe, into.Probe)
	into.Steal = cmp.Or(l.Steal, into.Steal)
	into.Load = cmp.Or(l.Load, into.Load)
	into.Launcher = cmp.Or(l.Launcher, into.Launcher)
	into.Peak = cmp.Or(l.Peak, into.Peak)
	into.Wall = cmp.Or(l.Wall, into.Wall)
	into.Planned = cmp.Or(l.Planned, into.Planned)
}
