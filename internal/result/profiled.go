package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
	"strconv"
)

// Profiled is what one profiler found out about a case, fork by fork. Such a case need not
// have a [Benchmark]: its forks may all have been the profiler's. Neither need its forks
// have succeeded if the run is one of a program: what was counted before it failed counts.
type Profiled[T any] struct {
	Case  int // ID in the record
	Pkg   string
	Name  string
	Side  string
	Procs int
	Title string          // what was profiled, unique in the record: package, name, side
	Forks []*T            // not to be changed
	Walls []time.Duration // life of each fork
}

// CallStacks is what a sampler saw of one fork.
type CallStacks struct {
	How     *record.Sampled // how the samples were taken
	Profile []byte          // the stacks, in the format of pprof
}

// Damage is an attachment that cannot be read.
type Damage struct {
	Attachment string // its name: record.AttachTrace …
	Title      string // what was profiled, as in [Profiled]
	Err        error
}

// profiles are the attachments of the forks of a case.
type profiles struct {
	listings Profiled[record.Asm]
	calls    Profiled[record.Trace]
	stacks   Profiled[CallStacks]
	damages  []Damage
	plain    time.Duration // life of a fork that no profiler watched, in a contrast
}

// PurposePlain is the purpose of a fork in a contrast that no profiler observes.
const PurposePlain = "plain"

// forkAttachments are the attachments of a fork whose line has not been read.
type forkAttachments struct {
	goroutines *record.Goroutines
	waits      *record.Waits
	heap       *record.Heap
	allocs     *record.Allocs
	counted    *record.Instructions
	asm        *record.Asm
	trace      *record.Trace
	stacks     CallStacks
	damages    []Damage
}

// addAttach keeps an attachment until its fork has ended. One that cannot be read is a
// warning about the fork.
func (b *Builder) addAttach(l *record.Attach) {
	if l.Bin != 0 && l.Fork == 0 {
		b.addCompiled(l)
		return
	}
	if l.Fork == 0 {
		return
	}
	a := b.attached[l.Fork]
	if a == nil {
		a = &forkAttachments{}
		b.attached[l.Fork] = a
	}
	var err error
	switch l.Name {
	case record.AttachGoroutines:
		a.goroutines, err = decodeAttachment(l, attached.CheckGoroutines)
	case record.AttachWaits:
		a.waits, err = decodeAttachment(l, (*record.Waits).Validate)
	case record.AttachHeap:
		a.heap, err = decodeAttachment(l, attached.CheckHeap)
	case record.AttachAllocs:
		a.allocs, err = decodeAttachment(l, (*record.Allocs).Validate)
	case record.AttachInstructions:
		a.counted, err = decodeAttachment(l, (*record.Instructions).Validate)
	case record.AttachAsm:
		a.asm, err = decodeAttachment(l, (*record.Asm).Validate)
	case record.AttachTrace:
		a.trace, err = decodeAttachment(l, (*record.Trace).Validate)
	case record.AttachSampled:
		a.stacks.How, err = decodeAttachment(l, (*record.Sampled).Validate)
	case record.AttachSampledProfile:
		a.stacks.Profile = l.Data
	}
	if err == nil {
		return
	}
	a.damages = append(a.damages, Damage{Attachment: l.Name, Err: err})
	w := diagnosis.Warn(diagnosis.DamagedAttached, diagnosis.Facts{"name": strconv.Quote(l.Name), "why": err})
	w.ID = l.Fork
	b.forkWarnings[l.Fork] = append(b.forkWarnings[l.Fork], *w)
}

func decodeAttachment[T any](l *record.Attach, check func(*T) error) (*T, error) {
	x := new(T)
	if err := json.Unmarshal(l.Data, x); err != nil {
		return nil, err
	}
	if err := check(x); err != nil {
		return nil, err
	}
	return x, nil
}

// keepProfiles adds what a fork has attached for those who show programs.
func (c *caseData) keepProfiles(f *record.Fork, a *forkAttachments) {
	p, wall := &c.profiles, time.Duration(f.Wall)
	if f.Purpose == PurposePlain {
		p.plain = wall
	}
	p.damages = append(p.damages, a.damages...)
	if a.trace != nil && f.Lost != nil {
		a.trace.Waited = max(a.trace.Waited, min(1, *f.Lost))
	}
	keepFork(&p.listings, a.asm, wall)
	keepFork(&p.calls, a.trace, wall)
	switch {
	case a.stacks.How == nil:
	case len(a.stacks.Profile) == 0:
		p.damages = append(p.damages, Damage{Attachment: record.AttachSampledProfile, Err: errors.New("the profile is empty: the program ended before it was written")})
	default:
		keepFork(&p.stacks, &a.stacks, wall)
	}
}

func keepFork[T any](p *Profiled[T], x *T, wall time.Duration) {
	if x != nil {
		p.Forks, p.Walls = append(p.Forks, x), append(p.Walls, wall)
	}
}

// keep adds what a fork has attached, if anything.
func keep[T any](to *[]*T, x *T) {
	if x != nil {
		*to = append(*to, x)
	}
}

// addProfiles adds what profilers found out about a case to the result.
func (b *Builder) addProfiles(s *Result, c *caseData) {
	title := b.title(&c.line)
	c.setPlain()
	addProfiled(&s.Listings, &c.profiles.listings, &c.line, title)
	addProfiled(&s.Calls, &c.profiles.calls, &c.line, title)
	addProfiled(&s.Stacks, &c.profiles.stacks, &c.line, title)
	for _, d := range c.profiles.damages {
		d.Title = title
		s.Damages = append(s.Damages, d)
	}
	if c.profiles.plain != 0 {
		s.Plain = c.profiles.plain
	}
}

func addProfiled[T any](to *[]Profiled[T], p *Profiled[T], c *record.Case, title string) {
	if len(p.Forks) > 0 {
		*to = append(*to, Profiled[T]{c.ID, c.Pkg, c.Name, c.Side, c.Procs, title, p.Forks, p.Walls})
	}
}

// title returns the name of a case, with what distinguishes it from the other cases of the record.
func (b *Builder) title(c *record.Case) string {
	title := c.Name
	if b.run != nil && len(b.run.Config.CPU) > 1 {
		title += fmt.Sprintf("-%d", c.Procs)
	}
	if c.Pkg != "" {
		title = c.Pkg + " · " + title
	}
	if c.Side != "" {
		title += " · " + c.Side
	}
	return title
}

// ofProgram reports whether a run is one of a program that is watched rather than of
// benchmarks: what was seen of it counts however it ended.
func ofProgram(run *record.Run) bool {
	switch record.KindOf(run) {
	case record.KindTrace, record.KindSample, record.KindContrast:
		return true
	case record.KindAsm:
		return len(run.Config.Packages) == 0
	}
	return false
}

// setPlain tells traces what their operations take in forks without probes.
func (c *caseData) setPlain() {
	xs := valuesOf(c.forks, "", "ns/op")
	if len(xs) == 0 {
		return
	}
	plain, e := max(0, stat.Median(xs)), medianError(xs)
	for _, t := range c.profiles.calls.Forks {
		t.Plain, t.PlainError = plain*float64(t.Ops), e*float64(t.Ops)
	}
}

// medianError returns the standard error of a median of forks, by how far they are from it in the median. It is 0 if
// there are fewer than three.
func medianError(xs []float64) float64 {
	if len(xs) < 3 {
		return 0
	}
	const ofMedian = 1.2533 // standard error of the median of normal values per that of their mean
	return ofMedian * stat.RobustCV(xs) * math.Abs(stat.Median(xs)) / math.Sqrt(float64(len(xs)))
}
