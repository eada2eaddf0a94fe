package alloc

import (
	"bytes"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/profile/alloctype"
)

// pprof returns the counts as a gzipped profile for "go tool pprof". The type of the objects is a label of the samples.
func (c *counts) pprof() ([]byte, error) {
	p := &profile.Profile{
		SampleType:        []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}},
		DefaultSampleType: "alloc_space",
		PeriodType:        &profile.ValueType{Type: "space", Unit: "bytes"},
		Period:            1,
	}
	at := c.locations(p)
	for i := range c.Stacks {
		s := &c.Stacks[i]
		x := &profile.Sample{Value: []int64{s.Objects, s.Objects * s.Size}}
		first, via := c.siteOf(s)
		for _, f := range s.Frames[min(first, len(s.Frames)):] {
			x.Location = append(x.Location, at[f])
		}
		if typ := alloctype.Name(via, s.Type); typ != "" {
			x.Label = map[string][]string{"type": {typ}}
		}
		p.Sample = append(p.Sample, x)
	}
	var out bytes.Buffer
	err := p.Write(&out)
	return out.Bytes(), err
}

// locations adds a location for each frame, and returns them by its index.
func (c *counts) locations(p *profile.Profile) []*profile.Location {
	functions := map[[2]string]*profile.Function{}
	out := make([]*profile.Location, len(c.Frames))
	for i, f := range c.Frames {
		k := [2]string{f.Func, f.File}
		fn := functions[k]
		if fn == nil {
			fn = &profile.Function{ID: uint64(len(functions) + 1), Name: f.Func, SystemName: f.Func, Filename: f.File}
			functions[k] = fn
			p.Function = append(p.Function, fn)
		}
		out[i] = &profile.Location{ID: uint64(i + 1), Line: []profile.Line{{Function: fn, Line: int64(f.Line)}}}
		p.Location = append(p.Location, out[i])
	}
	return out
}
