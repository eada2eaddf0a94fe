package fork

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

func preferSent(t *testing.T, lines ...string) childMessages {
	t.Helper()
	p := &pipe{text: []byte(`{"k":"hello","v":1,"from":"hook"}` + "\n" + strings.Join(lines, "\n"))}
	return p.decode(&record.Fork{ID: 1})
}

func TestAnnounced(t *testing.T) {
	s := preferSent(t,
		`{"k":"hello","v":1,"from":"bench"}`,
		`{"k":"announce","name":"Queue/cap=64","mode":"time","roles":["producer","consumer"],"units":{"ok/op":{"better":"higher"}}}`,
		`{"k":"announce","name":"Queue/cap=64","mode":"N"}`, // childMessages again: the first counts
		`{"k":"announce","name":"Cold","mode":"N","shot":true}`,
		`{"k":"announce","name":"","mode":"N"}`,
		`{"k":"announce","name":"X","mode":"often"}`,
		`{"k":"announce","name":5}`)
	want := []Announcement{
		{Name: "Queue/cap=64", Mode: record.ModeTime, Roles: []string{"producer", "consumer"}, Units: map[string]record.Unit{"ok/op": {Better: record.Higher}}},
		{Name: "Cold", Mode: record.ModeN, SingleShot: true},
	}
	if !reflect.DeepEqual(s.announcements, want) || s.rejected != 3 {
		t.Errorf("%+v, %d refused: %v", s.announcements, s.rejected, s.first)
	}
	if a := s.announcement("Cold"); a == nil || !a.SingleShot || s.announcement("Other") != nil {
		t.Errorf("%+v", a)
	}
}

func TestSettle(t *testing.T) {
	announce := `{"k":"announce","name":"A","mode":"time"}`
	ours := `{"k":"sample","iter":2,"phase":"measure","t":1,"ns":5,"ops":1,"v":{"op/s":7}}`
	hook := `{"k":"sample","iter":2,"phase":"measure","t":2,"ns":6,"ops":1,"v":{"ns/op":9,"B/op":16.5,"gc-cycles":1,"a-op/s":3}}`
	role := `{"k":"sample","iter":2,"phase":"measure","role":"a","t":1,"ns":5,"ops":1,"v":{"op/s":3}}`
	for _, test := range []struct {
		name  string
		lines []string
		want  []record.Sample
	}{
		{"two speakers", []string{announce, role, ours, hook}, []record.Sample{
			{Fork: 1, Iter: 2, Phase: "measure", Role: "a", T: 1, Ns: 5, Ops: 1, V: record.Values{{Unit: "op/s", Value: 3}}},
			{Fork: 1, Iter: 2, Phase: "measure", T: 1, Ns: 5, Ops: 1, V: record.Values{{Unit: "op/s", Value: 7}, {Unit: "B/op", Value: 16.5}, {Unit: "gc-cycles", Value: 1}}},
		}},
		{"one speaker", []string{hook}, []record.Sample{
			{Fork: 1, Iter: 2, Phase: "measure", T: 2, Ns: 6, Ops: 1, V: record.Values{{Unit: "ns/op", Value: 9}, {Unit: "B/op", Value: 16.5}, {Unit: "gc-cycles", Value: 1}, {Unit: "a-op/s", Value: 3}}},
		}},
		{"warm-up, baseline and roles", []string{
			announce,
			`{"k":"sample","iter":1,"phase":"baseline","t":1,"ns":5,"ops":1,"v":{}}`,
			`{"k":"sample","iter":1,"phase":"measure","role":"a","t":1,"ns":5,"ops":1,"v":{}}`,
			`{"k":"sample","iter":1,"phase":"measure","role":"b","t":1,"ns":5,"ops":1,"v":{}}`,
		}, []record.Sample{
			{Fork: 1, Iter: 1, Phase: "baseline", T: 1, Ns: 5, Ops: 1},
			{Fork: 1, Iter: 1, Phase: "warmup", Role: "a", T: 1, Ns: 5, Ops: 1},
			{Fork: 1, Iter: 1, Phase: "warmup", Role: "b", T: 1, Ns: 5, Ops: 1},
		}},
	} {
		s := preferSent(t, test.lines...)
		s.mergeSamples(1)
		var got []record.Sample
		for _, x := range s.samples {
			got = append(got, *x)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", test.name, got, test.want)
		}
	}
}

// TestAlsoPrinted: what a benchmark has testing print after its Group is not
// lost, and what the group has printed itself does not come twice.
func TestAlsoPrinted(t *testing.T) {
	sent := []*record.Sample{
		{Iter: 1, Phase: record.PhaseBaseline, V: record.Values{{Unit: "ns/op", Value: 1}}},
		{Iter: 1, Phase: record.PhaseMeasure, Role: "a", V: record.Values{{Unit: "op/s", Value: 3}}},
		{Iter: 1, Phase: record.PhaseMeasure, V: record.Values{{Unit: "op/s", Value: 3}}},
		{Iter: 2, Phase: record.PhaseMeasure, V: record.Values{{Unit: "op/s", Value: 4}}},
	}
	addPrintedMetrics(sent, []*record.Sample{{Iter: 1, V: record.Values{{Unit: "ns/op", Value: 9}, {Unit: "a-op/s", Value: 3}, {Unit: "op/s", Value: 3}, {Unit: "hit-%", Value: 80}}}})
	for i, want := range []record.Values{
		{{Unit: "ns/op", Value: 1}},
		{{Unit: "op/s", Value: 3}},
		{{Unit: "op/s", Value: 3}, {Unit: "hit-%", Value: 80}},
		{{Unit: "op/s", Value: 4}},
	} {
		if !reflect.DeepEqual(sent[i].V, want) {
			t.Errorf("sample %d: %v, want %v", i, sent[i].V, want)
		}
	}
}
