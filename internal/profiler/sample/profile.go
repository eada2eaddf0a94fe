package sample

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/timerlog"
	"github.com/tarebench/tare/record"
)

// Result is what was seen of a program.
type Result struct {
	How     record.Sampled
	Profile *profile.Profile // of the sample types that How tells; without samples if nothing was seen

	noNotes error // why it is not known when a timer ran
	fork    bool  // of a benchmark, whose other forks count, too
}

// Doubts are what makes one doubt the figures.
func (r *Result) Doubts() []*record.Warn {
	var out []*record.Warn
	warn := func(code, advice, format string, args ...any) {
		out = append(out, &record.Warn{About: record.AboutFork, Code: code, Text: "sample: " + fmt.Sprintf(format, args...), Advice: advice})
	}
	h := &r.How
	if h.Looks < fewLooks {
		r.few(warn)
	}
	if h.Skipped > h.Looks {
		advice := "a longer --interval, which it keeps"
		if ofBenchmark(h) {
			advice = "more --prof-forks, or a longer --time, for as many looks"
		}
		warn(CodeSlowed, advice, "looks take %s with %s: one was taken every %s, and not %s, to cost no more than 2 %%",
			seconds(h.Look), plural(h.Goroutines, "goroutine"), seconds(h.Achieved), seconds(float64(h.Interval)))
	}
	if h.Window == record.AsmMarks {
		out = append(out, timerlog.Doubts("sample", 1-h.Unnoted, r.noNotes)...)
	}
	if h.Mode == record.SampledCPU {
		coarse(h, warn)
	} else if h.Source == record.SampledURL {
		warn(CodeOutside, "by CPU time nothing of it is missed: --cpu --url", "asked by its address, a process answers when a processor is free, and what ran is often asleep by then: by the clock, running is underestimated")
	}
	spoiled(h, warn)
	r.unknown(warn)
	return out
}

// ofBenchmark reports whether a benchmark was looked at, in its windows.
func ofBenchmark(h *record.Sampled) bool {
	return h.Window == record.AsmMarks || h.Window == record.AsmRough
}

// few warns of too few looks.
func (r *Result) few(warn func(code, advice, format string, args ...any)) {
	h := &r.How
	switch {
	case h.Looks == 0 && h.Source == record.SampledURL && h.Mode == record.SampledCPU:
		warn(CodeFewLooks, "look while it works, or by the clock: --wall --url", "it used no CPU time that was seen%s", in(h))
		return
	case h.Looks == 0:
		warn(CodeFewLooks, longer(h), "not one look: nothing is known of it")
		return
	}
	of, by := "", ""
	if r.fork {
		of, by = " at this fork", " by it alone"
	}
	warn(CodeFewLooks, longer(h), "%s%s, so that a share of 10 %% is known to within ±%.0f %%%s", plural(h.Looks, "look"), of, 100*math.Sqrt(0.1*0.9/float64(h.Looks)), by)
}

// in says how long was looked, if that is known.
func in(h *record.Sampled) string {
	if h.Wall <= 0 {
		return ""
	}
	return " in " + seconds(float64(h.Wall))
}

// unknown warns of time that goroutines were running, where nobody knows.
func (r *Result) unknown(warn func(code, advice, format string, args ...any)) {
	if r.How.Source != record.SampledLooks || r.Profile == nil {
		return
	}
	const ns = 1 // of Sampled.Types
	var all, none int64
	for _, s := range r.Profile.Sample {
		all += s.Value[ns]
		if l := s.Location[0]; len(l.Line) > 0 && l.Line[0].Function.Name == nowhere {
			none += s.Value[ns]
		}
	}
	if none > all/20 {
		warn(CodeUnknown, "a quieter machine; and --cpu for a program that ignores or blocks SIGURG", "%.2g %% of the time was found in %s: goroutines were running, and their threads did not say where, because others had the processors, the program ended, or the signal did not reach them",
			100*float64(none)/float64(all), nowhere)
	}
}

// spoiled warns of what there was no time or room for.
func spoiled(h *record.Sampled, warn func(code, advice, format string, args ...any)) {
	shorter := "a longer --interval, or a shorter run"
	if ofBenchmark(h) {
		shorter = "a shorter --time"
	}
	if h.Late > h.Looks/tooLate {
		warn(CodeLate, "a quieter machine, or tare with the right to real time (CAP_SYS_NICE)", "%d of %d looks came late, or not at all: other threads had the processors; what comes when those pause is seen too often", h.Late, h.Looks+h.Late)
	}
	if h.Spared > h.Looks/4 {
		warn(CodeSpared, shorter, "what was seen filled the room for it: looks were taken less often towards the end, one every %s instead of %s in the mean", seconds(h.Achieved), seconds(float64(h.Interval)))
	}
	if h.Unseen > 0 {
		warn(CodeLost, shorter, "there was no room for more after %s: the last %s of the program are not in it", seconds(float64(h.Wall)), seconds(float64(h.Unseen)))
	}
	if h.Lost > 0 {
		warn(CodeLost, shorter, "%d samples were lost: there was no room for them", h.Lost)
	}
	if h.Cut > 0 {
		warn(CodeCut, "go by self, or by (cut)", "%.2g %% of the time was found in stacks too deep to be kept whole: their outer calls are missing, and in no total", 100*h.Cut)
	}
}

func plural(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// longer says how long to look.
func longer(h *record.Sampled) string {
	if ofBenchmark(h) {
		return fmt.Sprintf("more forks, or longer ones: --prof-forks, --time; %d looks take %s", fewLooks, seconds(float64(fewLooks)*max(h.Achieved, float64(h.Interval))))
	}
	if h.Source == record.SampledURL && h.Looks > 0 && h.Wall > 0 { // which does not end by itself, and may sleep
		return fmt.Sprintf("look for longer: --length %.0fs", math.Ceil(float64(h.Wall)*fewLooks/float64(h.Looks)/1e9))
	}
	of := ""
	if h.Mode == record.SampledCPU {
		of = " of CPU time"
	}
	return fmt.Sprintf("look for longer: %d looks take %s%s", fewLooks, seconds(float64(fewLooks)*max(h.Achieved, float64(h.Interval))), of)
}

// coarse warns of looks by CPU time that came less often than was asked.
func coarse(h *record.Sampled, warn func(code, advice, format string, args ...any)) {
	asked := float64(h.Interval)
	switch {
	case h.Achieved > coarser*asked:
		served, advice := "", "a longer --interval, which it keeps"
		switch {
		case h.Source == record.SampledURL:
			served = "net/http/pprof has an interval of its own"
		case h.Source == record.SampledPerf:
			served = "the kernel allows no more"
		case h.Interval < int64(defaultInterval):
			served, advice = "Go's profiler goes by the kernel's ticks", "perf events keep shorter ones: tare sample -- PROGRAM"
		default:
			served, advice = "some are missing", "look for longer"
		}
		warn(CodeCoarse, advice, "asked for a look every %s of CPU time, and one came every %s: %s; times go by what came", seconds(asked), seconds(h.Achieved), served)
	case h.Achieved == 0 && h.Looks > 0 && h.Interval < int64(defaultInterval):
		warn(CodeCoarse, "go by shares", "asked for a look every %s of CPU time, and how often one came is not known: times go by what was asked, and may be too short", seconds(asked))
	}
}

// coarser is how many times as long as was asked an interval is that is told: a look more
// or less in a short run does not matter.
const coarser = 1.5

// Codes of doubts.
const (
	CodeFewLooks = "few-looks"
	CodeSlowed   = "looks-slowed"
	CodeOutside  = "looks-outside"
	CodeCoarse   = "looks-coarse"
	CodeLate     = "looks-late"
	CodeSpared   = "looks-spared"
	CodeLost     = "looks-lost"
	CodeCut      = "stacks-cut"
	CodeUnknown  = "stacks-unknown"
)

// tooLate is the part of the looks that may come late.
const tooLate = 20

// fewLooks are too few: the share of a function that has a tenth of them is known to
// within 3 %.
const fewLooks = 100

// Lines are the attachments for a record, and the doubts.
func (r *Result) Lines() ([]record.Line, error) {
	how, err := encode(r.How)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := r.Profile.Write(&b); err != nil {
		return nil, fmt.Errorf("sample: profile: %w", err)
	}
	lines := []record.Line{
		&record.Attach{Name: record.AttachSampled, Media: "application/json", Data: how},
		&record.Attach{Name: record.AttachSampledProfile, Media: "application/gzip", Data: b.Bytes()},
	}
	for _, w := range r.Doubts() {
		lines = append(lines, w)
	}
	return lines, nil
}

// seconds is a duration with two digits.
func seconds(ns float64) string {
	for _, u := range []struct {
		ns   float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.ns {
			return fmt.Sprintf("%.3g %s", ns/u.ns, u.name)
		}
	}
	return fmt.Sprintf("%.0f ns", ns)
}

// builder makes a profile of what was found.
type builder struct {
	p         *profile.Profile
	functions map[string]*profile.Function
	locations map[frame]*profile.Location
	samples   map[string]*profile.Sample
}

func newBuilder(types []string) *builder {
	b := &builder{p: &profile.Profile{}, functions: map[string]*profile.Function{}, locations: map[frame]*profile.Location{}, samples: map[string]*profile.Sample{}}
	for _, name := range types {
		unit := "nanoseconds"
		if name == record.TypeSamples {
			unit = "count"
		}
		b.p.SampleType = append(b.p.SampleType, &profile.ValueType{Type: name, Unit: unit})
	}
	b.p.DefaultSampleType = types[1]
	return b
}

// add adds a stack, the innermost first. Stacks that are alike become one.
func (b *builder) add(frames []frame, labels map[string]string, values []int64) {
	var id strings.Builder
	locations := make([]*profile.Location, len(frames))
	for i, f := range frames {
		locations[i] = b.location(f)
		fmt.Fprintf(&id, "%d ", locations[i].ID)
	}
	id.WriteString(labels[record.LabelState] + " " + labels[record.LabelReason])
	s := b.samples[id.String()]
	if s == nil {
		s = &profile.Sample{Location: locations, Value: make([]int64, len(values))}
		for k, v := range labels {
			if v != "" {
				if s.Label == nil {
					s.Label = map[string][]string{}
				}
				s.Label[k] = []string{v}
			}
		}
		b.samples[id.String()] = s
		b.p.Sample = append(b.p.Sample, s)
	}
	for i, v := range values {
		s.Value[i] += v
	}
}

func (b *builder) location(f frame) *profile.Location {
	if l := b.locations[f]; l != nil {
		return l
	}
	fn := b.functions[f.name]
	if fn == nil {
		fn = &profile.Function{ID: uint64(len(b.p.Function) + 1), Name: f.name, SystemName: f.name, Filename: f.file, StartLine: int64(f.first)}
		b.functions[f.name] = fn
		b.p.Function = append(b.p.Function, fn)
	}
	l := &profile.Location{ID: uint64(len(b.p.Location) + 1), Line: []profile.Line{{Function: fn, Line: int64(f.line)}}}
	b.locations[f] = l
	b.p.Location = append(b.p.Location, l)
	return l
}

// done orders the samples: most of the default type first.
func (b *builder) done(how *record.Sampled) (*profile.Profile, error) {
	b.p.Period = how.Interval
	if how.Achieved >= 1 {
		b.p.Period = int64(how.Achieved)
	}
	b.p.PeriodType = &profile.ValueType{Type: b.p.SampleType[1].Type, Unit: "nanoseconds"}
	slices.SortStableFunc(b.p.Sample, func(x, y *profile.Sample) int { return cmp.Compare(y.Value[1], x.Value[1]) })
	if err := b.p.CheckValid(); err != nil {
		return nil, fmt.Errorf("sample: profile: %w", err)
	}
	return b.p, nil
}

// labels are those of a state that a process has written. What uses CPU time runs.
func (s *seen) labels(mode string, state uint64) map[string]string {
	switch {
	case mode == record.SampledCPU:
		return nil
	case state == inRunning:
		return map[string]string{record.LabelState: record.StateRunning}
	case state == inRunnable:
		return map[string]string{record.LabelState: record.StateRunnable}
	case state == inSyscall:
		return map[string]string{record.LabelState: record.StateSyscall}
	}
	reason := "unknown"
	if i := state - inWaiting; i < uint64(len(s.names)) && s.names[i] != "" {
		reason = s.names[i]
	}
	return map[string]string{record.LabelState: record.StateWaiting, record.LabelReason: reason}
}
