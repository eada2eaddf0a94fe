package fewlines

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// payloads are the types of attachments that are JSON.
var payloads = map[string]reflect.Type{
	record.AttachAllocs:       reflect.TypeFor[record.Allocs](),
	record.AttachAsm:          reflect.TypeFor[record.Asm](),
	record.AttachCompiler:     reflect.TypeFor[record.Compiled](),
	record.AttachGoroutines:   reflect.TypeFor[record.Goroutines](),
	record.AttachHeap:         reflect.TypeFor[record.Heap](),
	record.AttachInstructions: reflect.TypeFor[record.Instructions](),
	record.AttachSampled:      reflect.TypeFor[record.Sampled](),
	record.AttachTrace:        reflect.TypeFor[record.Trace](),
	record.AttachWaits:        reflect.TypeFor[record.Waits](),
}

// attached draws the data of an attachment.
func (d *draw) attached(name string) []byte {
	real := pick(d.rng, d.data[name])
	switch t := payloads[name]; {
	case d.chance(0.05):
		return []byte(pick(d.rng, []string{"", "{}", "null", "[]", "1", "x", `{"mode":"exact"}`}))
	case t != nil:
		inner := *d
		inner.absent, inner.invented, inner.extreme = d.few(), max(d.few(), 0.5*float64(min(1, 1-len(real)))), d.few()
		text := []byte(inner.value(t, parse(real), name))
		if d.chance(0.8) {
			text = withSums(name, text)
		}
		return text
	case name == "slo":
		return []byte(pick(d.rng, []string{"p99<10ms", "READ p99.9 < 1us\nerrors<0.1%", "p50<0s", "rate>1", "\n", "x"}))
	case name == "steps":
		return []byte(pick(d.rng, []string{"search", "sweep", "search 1..1000", "", "x"}))
	case len(real) > 0 && d.chance(0.3):
		return real
	case name == record.AttachAllocsProfile || name == record.AttachHeapProfile || name == record.AttachSampledProfile:
		return d.profile()
	}
	return []byte(pick(d.rng, []string{"", "text", "line\nline\n", "GET / 200\n", "\x00\xff"}))
}

// few draws a share of the keys of an attachment: most are refused anyway if much is wrong.
func (d *draw) few() float64 { return pick(d.rng, []float64{0, 0, 0, 0.001, 0.01, 0.1}) }

// withSums sets what must be the sum of the parts of an attachment.
func withSums(name string, text []byte) []byte {
	switch name {
	case record.AttachAllocs:
		return changed(text, func(x *record.Allocs) {
			x.Objects, x.Bytes = x.Rest.Objects+x.Unseen.Objects, x.Rest.Bytes+x.Unseen.Bytes
			for i := range x.Sites {
				x.Objects, x.Bytes = x.Objects+x.Sites[i].Objects, x.Bytes+x.Sites[i].Bytes
			}
		})
	case record.AttachInstructions:
		return changed(text, sumInstructions)
	case record.AttachTrace:
		return changed(text, func(x *record.Trace) {
			x.Calls = 0
			for i := range x.Funcs {
				x.Calls += x.Funcs[i].Calls
			}
		})
	}
	return text
}

// changed returns JSON of type T with a change.
func changed[T any](text []byte, change func(*T)) []byte {
	x := new(T)
	json.Unmarshal(text, x) // what fits of it
	change(x)
	return []byte(quote(x))
}

func sumInstructions(x *record.Instructions) {
	x.Total = 0
	for i := range x.Functions {
		f := &x.Functions[i]
		f.Count = f.Rest
		for k := range f.Lines {
			f.Lines[k].File = max(0, min(f.Lines[k].File, len(x.Files)-1))
			f.Count += f.Lines[k].Count
		}
		x.Total += f.Count
	}
	for i := range x.Rest {
		x.Total += x.Rest[i].Count
	}
}

// profile draws a small profile in the form of pprof. Some of its references lead nowhere.
func (d *draw) profile() []byte {
	p := &profile.Profile{DurationNanos: d.integer(64), PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: d.integer(64)}
	for _, t := range []string{"samples", "cpu", "inuse_space"}[:d.rng.IntN(4)] {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t, Unit: pick(d.rng, []string{"count", "nanoseconds", "bytes"})})
	}
	for i := range d.rng.IntN(4) {
		f := &profile.Function{ID: uint64(i + 1), Name: pick(d.rng, []string{"main.f", "runtime.mallocgc", "", "p.(*T).m[...]"}), Filename: "/src/f.go", StartLine: d.integer(64)}
		p.Function = append(p.Function, f)
		l := &profile.Location{ID: uint64(i + 1), Address: uint64(d.integer(64)), Line: []profile.Line{{Function: f, Line: d.integer(64)}}}
		if d.chance(0.2) {
			l.Line = nil
		}
		p.Location = append(p.Location, l)
	}
	for range d.rng.IntN(4) {
		s := &profile.Sample{Label: map[string][]string{}, NumLabel: map[string][]int64{}}
		for range p.SampleType {
			s.Value = append(s.Value, d.integer(64))
		}
		for range d.rng.IntN(4) {
			if len(p.Location) > 0 {
				s.Location = append(s.Location, pick(d.rng, p.Location))
			}
		}
		if d.chance(0.5) {
			s.Label[record.LabelReason] = []string{pick(d.rng, []string{"chan receive", "", "select"})}
		}
		p.Sample = append(p.Sample, s)
	}
	var out bytes.Buffer
	p.Write(&out) // to memory
	return out.Bytes()
}

// histogram draws the data of a hist line.
func (d *draw) histogram() []byte {
	real := d.data[histograms]
	switch {
	case d.chance(0.1):
		return []byte(pick(d.rng, []string{"", "x", "HISTFAAA", "\x1c\x84\x93\x14\x00\x00\x00\x00"}))
	case len(real) > 0 && d.chance(0.3):
		return pick(d.rng, real)
	}
	h := hist.New(pick(d.rng, []hist.Config{{}, {}, {Highest: 1 << 20, Digits: 1}, {Highest: 1 << 62, Digits: 4}}))
	for range d.rng.IntN(4) {
		h.RecordN(pick(d.rng, []int64{0, 1, 1000, 12345678, 1 << 40, 1 << 62, -1}), pick(d.rng, []int64{1, 1, 10, 100, 1 << 40, 1 << 61}))
	}
	data, err := h.Encode()
	if err != nil {
		return nil
	}
	return data
}
