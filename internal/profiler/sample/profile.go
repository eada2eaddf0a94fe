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

// Result is the outcome of sampling a program.
type Result struct {
	How     record.Sampled
	Profile *profile.Profile // of the sample types of How; it may have no samples

	noNotes error // why it is unknown when the timer ran; nil: it is known
	fork    bool  // it is of one of several forks of a benchmark
}

// Doubts returns warnings about the figures.
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
		advice := "a longer --interval can be kept"
		if ofBenchmark(h) {
			advice = "more --prof-forks, or a longer --time, give as many samples"
		}
		warn(CodeSlowed, advice, "a sample took %s with %s: samples were taken every %s instead of every %s, so that they cost no more than 2 %%",
			seconds(h.Look), plural(h.Goroutines, "goroutine"), seconds(h.Achieved), seconds(float64(h.Interval)))
	}
	if h.Window == record.AsmMarks {
		out = append(out, timerlog.Doubts("sample", 1-h.Unnoted, r.noNotes)...)
	}
	if h.Mode == record.SampledCPU {
		coarse(h, warn)
	} else if h.Source == record.SampledURL {
		warn(CodeOutside, "--cpu --url samples by CPU time, which is not underestimated", "a process that is sampled by its address answers when a processor is free, and goroutines that ran are often asleep by then: by the clock, running is underestimated")
	}
	spoiled(h, warn)
	r.unknown(warn)
	return out
}

// ofBenchmark reports whether the windows of a benchmark were sampled.
func ofBenchmark(h *record.Sampled) bool {
	return h.Window == record.AsmMarks || h.Window == record.AsmRough
}

// few warns of too few samples.
func (r *Result) few(warn func(code, advice, format string, args ...any)) {
	h := &r.How
	switch {
	case h.Looks == 0 && h.Source == record.SampledURL && h.Mode == record.SampledCPU:
		warn(CodeFewLooks, "sample while it works, or by the clock: --wall --url", "no sample%s: the process used no CPU time", in(h))
		return
	case h.Looks == 0:
		warn(CodeFewLooks, longer(h), "no sample: nothing is known of the program")
		return
	}
	of, by := "", ""
	if r.fork {
		of, by = " in this fork", " by this fork alone"
	}
	warn(CodeFewLooks, longer(h), "%s%s: a share of 10 %% is known to within ±%.0f %%%s", plural(h.Looks, "sample"), of, 100*math.Sqrt(0.1*0.9/float64(h.Looks)), by)
}

// in says how long the program was sampled, if that is known.
func in(h *record.Sampled) string {
	if h.Wall <= 0 {
		return ""
	}
	return " in " + seconds(float64(h.Wall))
}

// unknown warns of running time without a stack.
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
		warn(CodeUnknown, "repeat on a quieter machine; for a program that ignores or blocks SIGURG use --cpu", "%.2g %% of the time is in %s: goroutines were running, and their threads did not report a stack, because other threads had the processors, the program ended, or the signal did not reach them",
			100*float64(none)/float64(all), nowhere)
	}
}

// spoiled warns of samples that are missing or incomplete.
func spoiled(h *record.Sampled, warn func(code, advice, format string, args ...any)) {
	shorter := "use a longer --interval, or a shorter run"
	if ofBenchmark(h) {
		shorter = "use a shorter --time"
	}
	if h.Late > h.Looks/tooLate {
		warn(CodeLate, "repeat on a quieter machine, or give tare CAP_SYS_NICE for real-time priority", "%d of %d samples came late or not at all, because other threads had the processors: functions that run when those pause are seen too often", h.Late, h.Looks+h.Late)
	}
	if h.Spared > h.Looks/4 {
		warn(CodeSpared, shorter, "the room for samples became scarce: they were taken less often towards the end, every %s instead of every %s on average", seconds(h.Achieved), seconds(float64(h.Interval)))
	}
	if h.Unseen > 0 {
		warn(CodeLost, shorter, "the room for samples was full after %s: the last %s of the program are missing", seconds(float64(h.Wall)), seconds(float64(h.Unseen)))
	}
	if h.Lost > 0 {
		warn(CodeLost, shorter, "%d samples were lost, because there was no room for them", h.Lost)
	}
	if h.Cut > 0 {
		warn(CodeCut, "use the self times", "%.2g %% of the time is in stacks that are too deep: their outer calls are missing, also in totals", 100*h.Cut)
	}
}

func plural(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// longer says how long to sample.
func longer(h *record.Sampled) string {
	if ofBenchmark(h) {
		return fmt.Sprintf("use more or longer forks (--prof-forks, --time): %d samples take %s", fewLooks, seconds(float64(fewLooks)*max(h.Achieved, float64(h.Interval))))
	}
	if h.Source == record.SampledURL && h.Looks > 0 && h.Wall > 0 { // it does not end by itself, and may be idle
		return fmt.Sprintf("sample for longer: --length %.0fs", math.Ceil(float64(h.Wall)*fewLooks/float64(h.Looks)/1e9))
	}
	of := ""
	if h.Mode == record.SampledCPU {
		of = " of CPU time"
	}
	return fmt.Sprintf("sample for longer: %d samples take %s%s", fewLooks, seconds(float64(fewLooks)*max(h.Achieved, float64(h.Interval))), of)
}

// coarse warns of an interval of CPU time that was longer than the configured one.
func coarse(h *record.Sampled, warn func(code, advice, format string, args ...any)) {
	target := float64(h.Interval)
	switch {
	case h.Achieved > coarser*target:
		served, advice := "", "a longer --interval can be kept"
		switch {
		case h.Source == record.SampledURL:
			served = "net/http/pprof has a fixed interval"
		case h.Source == record.SampledPerf:
			served = "the kernel does not allow more"
		case h.Interval < int64(defaultInterval):
			served, advice = "Go's profiler samples at the kernel's ticks", "perf events have shorter intervals: tare sample -- PROGRAM"
		default:
			served, advice = "some are missing", "sample for longer"
		}
		warn(CodeCoarse, advice, "target: a sample every %s of CPU time, achieved: one every %s: %s; times are computed from the achieved interval", seconds(target), seconds(h.Achieved), served)
	case h.Achieved == 0 && h.Looks > 0 && h.Interval < int64(defaultInterval):
		warn(CodeCoarse, "use the shares", "target: a sample every %s of CPU time; the achieved interval is unknown: times are computed from the target, and may be too short", seconds(target))
	}
}

// coarser is the ratio of the achieved to the target interval above which there is a warning: one sample more
// or less in a short run does not matter.
const coarser = 1.5

// Codes of warnings.
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

// tooLate: one in so many samples may come late without a warning.
const tooLate = 20

// fewLooks is how many samples are enough: with them, a share of a tenth is known to within 3 %.
const fewLooks = 100

// Lines returns the attachments for a record, and the warnings.
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

// seconds formats a duration of so many ns with three digits.
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

// builder makes a profile.
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

// add adds a stack, innermost first. Equal stacks become one.
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

// done sorts the samples by their values of the default type, largest first.
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

// labels returns the labels of a state. With CPU time there are none: such goroutines run.
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
