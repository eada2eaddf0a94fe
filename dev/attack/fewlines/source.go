package fewlines

import (
	"bytes"
	"encoding/base64"
	"maps"
	"slices"

	"github.com/tarebench/tare/record"
)

// Source draws files. It may be used by several goroutines.
type Source struct {
	files []real              // of which parts are taken
	words map[string][]string // texts that real lines have under a key, as JSON
	kinds []string            // of lines
	data  map[string][][]byte // real attachments and histograms, by name
}

// real is a real file: its lines by kind.
type real map[string][]*node

// New returns a source that mixes in parts of real records.
func New(records ...[]byte) *Source {
	s := &Source{words: map[string][]string{}, kinds: record.LineKinds(), data: map[string][][]byte{}}
	for _, text := range records {
		f := real{}
		for line := range bytes.Lines(text) {
			n := parse(line)
			if n == nil || n.open != '{' {
				continue // cut off
			}
			kind := n.get("k").text()
			f[kind] = append(f[kind], n)
			s.addWords(n)
			s.addData(kind, n)
		}
		s.files = append(s.files, f)
	}
	for key, words := range commonWords {
		for _, w := range words {
			s.words[key] = append(s.words[key], quote(w))
		}
	}
	for key, all := range s.words {
		slices.Sort(all)
		s.words[key] = slices.Compact(all)
	}
	return s
}

func (s *Source) addWords(n *node) {
	for i, kid := range n.kids {
		if kid.open == 0 && i < len(n.keys) && kid.raw[0] == '"' && len(kid.raw) < 100 {
			key := parse([]byte(n.keys[i])).text()
			s.words[key] = append(s.words[key], kid.raw)
		}
		s.addWords(kid)
	}
}

// histograms is the name under which the data of hist lines are kept.
const histograms = "histogram"

func (s *Source) addData(kind string, n *node) {
	name := histograms
	switch kind {
	case "attach":
		name = n.get("name").text()
	case "hist":
	default:
		return
	}
	if data, err := base64.StdEncoding.DecodeString(n.get("data").text()); err == nil {
		s.data[name] = append(s.data[name], data)
	}
}

// commonWords are texts with a meaning that real records may lack.
var commonWords = map[string][]string{
	"side":    {"old", "new", ""},
	"kind":    {record.KindBench, record.KindTime, record.KindLoad, record.KindAsm, record.KindTrace, record.KindSample, record.KindContrast, record.KindSelftest, record.KindBisect},
	"phase":   {record.LoadInsert, record.LoadWarmup, record.LoadRun, record.PhaseWarmup, record.PhaseMeasure, record.PhaseBaseline},
	"purpose": {record.PurposeTiming, record.PurposeDiscovery, record.PurposePilot, "selftest-a", "selftest-b", "plain"},
	"state":   {record.StateOK, record.StateFailed, record.StateTimeout, record.StatePartial, record.AgentDone, record.AgentLost, record.AgentStopped, record.EndCompleted, "found", "nothing", "undecided", "unusable", "searching"},
	"tag":     {record.TagResponse, record.TagService, record.TagLateness, record.TagFailed, record.TagUnanswered, record.TagUnansweredService},
	"about":   {record.AboutRun, record.AboutCase, record.AboutFork},
	"order":   {"interleaved", "grouped", "blocks"},
	"media":   {"application/json", "application/gzip", "text/plain", "image/png"},
	"form":    {record.FormN, record.FormLoop, record.FormParallel},
	"mode":    {record.ModeN, record.ModeTime},
	"test":    {record.TestSavage, record.TestU},
	"better":  {record.Higher, record.Lower},
	"assume":  {record.Nothing, record.Exact},
	"metric":  {"ns/op", "B/op", "allocs/op"},
	"unit":    {"ns", "ns/op", "us"},
	"cause":   record.WaitCauses(),
}

// units are of the values of a sample.
var units = []string{"ns/op", "B/op", "allocs/op", "MB/s", "p99-ns", "producer-ns/op", "x", "", "gc-ns/op", "ns/GC", "%", "heap-B"}

// attachments are the names under which something is attached.
func attachments() []string {
	return append(slices.Sorted(maps.Keys(payloads)), record.AttachAllocsProfile, record.AttachHeapProfile, record.AttachSampledProfile,
		"slo", "steps", "scenario", "output", "output-old", "picture", "")
}
