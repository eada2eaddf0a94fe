package cli

import (
	"bytes"
	"errors"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

var sampledProfile = func() *pprof.Profile {
	f := &pprof.Function{ID: 1, Name: "main.f"}
	l := &pprof.Location{ID: 1, Line: []pprof.Line{{Function: f, Line: 1}}}
	return &pprof.Profile{
		SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "wall", Unit: "nanoseconds"}},
		PeriodType: &pprof.ValueType{Type: "wall", Unit: "nanoseconds"}, Period: 1,
		Sample: []*pprof.Sample{{Location: []*pprof.Location{l}, Value: []int64{1, 500}}}, Function: []*pprof.Function{f}, Location: []*pprof.Location{l},
	}
}()

// TestSampledBench: --bench selects from a record by the same rule as when measuring. If it selects nothing, the error
// lists what the record has.
func TestSampledBench(t *testing.T) {
	how := &record.Sampled{Mode: record.SampledWall, Source: record.SampledStacks, Window: record.AsmMarks, Interval: 10, Samples: 5, Wall: 500}
	var p bytes.Buffer
	if err := sampledProfile.Write(&p); err != nil {
		t.Fatal(err)
	}
	read := func() *programRecord {
		r := &programRecord{title: "b.jsonl", res: &result.Result{Run: &record.Run{}}}
		for i, name := range []string{"Encode/codec=json", "Encode/codec=xml", "Decode/codec=json"} {
			r.res.Stacks = append(r.res.Stacks, result.Profiled[result.CallStacks]{Case: i + 1, Pkg: "example.com/x", Name: name, Forks: []*result.CallStacks{{How: how, Profile: p.Bytes()}}})
		}
		return r
	}
	for _, c := range []struct {
		bench string
		views int
		hint  string
	}{
		{"", 3, ""},
		{"BenchmarkEncode", 2, ""},
		{"^BenchmarkEncode$/json", 1, ""},
		{"/json", 2, ""},
		{"json", 0, "there is Decode/codec=json, Encode/codec=json, Encode/codec=xml"},
		{"example.com", 0, "there is Encode/codec=xml, Decode/codec=json, Encode/codec=json"},
	} {
		f := &sampleFlags{profile: profileFlags{bench: c.bench, top: 20}}
		if err := f.profile.check(); err != nil {
			t.Fatal(err)
		}
		views, err := f.views(read())
		hint := ""
		if bad := (*exit.Error)(nil); errors.As(err, &bad) {
			hint = bad.Hint
		}
		if len(views) != c.views || (err != nil) != (c.hint != "") || hint != c.hint {
			t.Errorf("--bench %s: %d, %v, hint %s", c.bench, len(views), err, hint)
		}
	}
	if err := (&profileFlags{bench: "("}).check(); err == nil {
		t.Error("( is a pattern")
	}
}

func TestHostOf(t *testing.T) {
	for address, want := range map[string]string{
		"http://me:secret@host:6060/debug/pprof/?key=secret#x": "http://host:6060/debug/pprof/",
		"http://127.0.0.1:6060":                                "http://127.0.0.1:6060",
		"nowhere":                                              "the address",
		"http://%zz":                                           "the address",
	} {
		if got := redact.HostOf(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
