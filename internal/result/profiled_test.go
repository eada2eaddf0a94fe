package result_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
)

// TestSampled: a case with forks of a sampler only has no result, but a listing. Impossible counts give a warning and
// no listing.
func TestSampled(t *testing.T) {
	const asm = `{"binary":"x","arch":"amd64","source":"pprof","window":"whole","events":[{"name":"cpu","samples":%d}],"funcs":[{"name":"f","area":"user","samples":[4],"counts":[{"a":1,"n":[4]}]}]}`
	for samples, want := range map[int]int{4: 1, 5: 0} {
		data := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, asm, samples))
		text := `{"k":"run","v":1,"tare":"x","start":"2026-01-01T00:00:00Z","command":[],"seed":"1","config":{"packages":[],"bench":"","forks":1,"warmup":0,"iterations":1,"time":1,"timeout":1,"order":"interleaved","confidence":0.95},"sides":null,"env":{"os":"linux","arch":"amd64","cores":1,"go":"go1.26","gomaxprocs":1}}
{"k":"case","id":1,"pkg":"p","name":"C","bin":1,"mode":"N","n":1}
{"k":"attach","fork":1,"name":"asm","media":"application/json","data":"` + data + `"}
{"k":"fork","id":1,"case":1,"bin":1,"round":1,"order":1,"purpose":"asm","exit":"0","state":"ok"}
{"k":"end","state":"completed","why":"done"}
`
		s, err := result.Read(strings.NewReader(text), "r.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Results) != 0 || len(s.Listings) != want {
			t.Errorf("%d samples reported: %d results, %d sampled cases, want 0 and %d", samples, len(s.Results), len(s.Listings), want)
		}
		if want == 1 && (s.Listings[0].Pkg != "p" || s.Listings[0].Name != "C" || len(s.Listings[0].Forks) != 1) {
			t.Errorf("%+v", s.Listings[0])
		}
	}
}

// TestTraced: a case with forks with probes only has no result, but traced calls. Impossible counts give a warning.
func TestTraced(t *testing.T) {
	const trace = `{"mode":"exact","clock":"cycles","tick_ns":1,"probe":{"outside_ns":1,"inside_ns":1},"ended":true,"window":"marks","windows":1,"ops":2,"calls":%d,"funcs":[{"name":"p.F","file":"f.go","line":1,"calls":6,"timed":6}],"path_more":6}`
	for calls, want := range map[int]int{6: 1, 7: 0} {
		data := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, trace, calls))
		text := `{"k":"run","v":1,"tare":"x","start":"2026-01-01T00:00:00Z","command":[],"seed":"1","config":{"packages":[],"bench":"","forks":1,"warmup":0,"iterations":1,"time":1,"timeout":1,"order":"interleaved","confidence":0.95},"sides":null,"env":{"os":"linux","arch":"amd64","cores":1,"go":"go1.26","gomaxprocs":1}}
{"k":"case","id":1,"pkg":"p","name":"C","side":"old","bin":1,"procs":3,"mode":"N","n":1}
{"k":"attach","fork":1,"name":"trace","media":"application/json","data":"` + data + `"}
{"k":"fork","id":1,"case":1,"bin":1,"round":1,"order":1,"purpose":"trace","exit":"0","state":"ok"}
{"k":"end","state":"completed","why":"done"}
`
		s, err := result.Read(strings.NewReader(text), "r.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Calls) != want {
			t.Errorf("%d calls reported: %d traced cases, want %d", calls, len(s.Calls), want)
		}
		if want == 1 {
			if x := s.Calls[0]; x.Pkg != "p" || x.Name != "C" || x.Side != "old" || x.Procs != 3 || len(x.Forks) != 1 || x.Forks[0].Ops != 2 {
				t.Errorf("%+v", x)
			}
		}
	}
}
