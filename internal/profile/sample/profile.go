package sample

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// Result is the outcome of sampling a program.
type Result struct {
	How     record.Sampled
	Profile *profile.Profile // with the sample types of How; may have no samples

	timerLogErr error // why the timer log is not available, or nil
	fork        bool  // of one of several forks of a benchmark
}

// Warnings returns warnings about the figures.
func (r *Result) Warnings() []*record.Warn {
	out := diagnosis.Sampling(&r.How, r.fork, r.timerLogErr)
	if w := r.unknown(); w != nil {
		out = append(out, w)
	}
	for _, w := range out {
		diagnosis.Prefix(w, "sample")
	}
	return out
}

// unknown returns a warning about running time without a stack, or nil.
func (r *Result) unknown() *record.Warn {
	if r.How.Source != record.SampledStacks || r.Profile == nil {
		return nil
	}
	const ns = 1 // of Sampled.Types
	var all, none int64
	for _, s := range r.Profile.Sample {
		all += s.Value[ns]
		if hasNoStack(s) {
			none += s.Value[ns]
		}
	}
	if none <= all/20 {
		return nil
	}
	return diagnosis.Warn(diagnosis.StacksUnknown, diagnosis.Facts{"share": fmt.Sprintf("%.2g %%", 100*float64(none)/float64(all)), "function": unknownFunction})
}

// hasNoStack reports whether a thread did not report its stack, or reported an empty one.
func hasNoStack(s *profile.Sample) bool {
	if len(s.Location) == 0 {
		return true
	}
	l := s.Location[0]
	return len(l.Line) > 0 && l.Line[0].Function.Name == unknownFunction
}

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
	for _, w := range r.Warnings() {
		lines = append(lines, w)
	}
	return lines, nil
}

// builder builds a profile.
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

// add adds a stack, innermost first. It merges equal stacks.
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

// done returns the profile with samples sorted by the default type, largest first.
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

// labels returns the labels of a state, nil with CPU time.
func (s *fileContent) labels(mode string, state uint64) map[string]string {
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
