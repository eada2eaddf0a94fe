package machines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/gate"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// of returns the row of a benchmark's unit.
func of(t *testing.T, r *Result, name, unit string) Row {
	t.Helper()
	for _, row := range r.Rows {
		if row.Combined.Name == name && row.Combined.Unit == unit {
			return row
		}
	}
	t.Fatalf("no row of %s %s", name, unit)
	return Row{}
}

func codes(row Row) string { return strings.Join(result.Codes(row.Combined.Warnings), " ") }

// TestCombine: machines of very unlike speed that agree, and one benchmark on which they do not.
func TestCombine(t *testing.T) {
	r := combined(t, 1,
		machine{name: "a", speed: 100, changes: []float64{0.9, 0.8, 1}},
		machine{name: "b", speed: 900, changes: []float64{0.9, 1.2, 1}},
		machine{name: "c", speed: 25, changes: []float64{0.9, 1, 1}},
		machine{name: "d", speed: 5000, changes: []float64{0.9, 1.1, 1}})
	a := of(t, r, "A", "ns/op")
	if a.Combined.Verdict != string(stat.Faster) || math.Abs(float64(a.Combined.Ratio)-0.9) > 0.01 || !a.Combined.Main || !a.Combined.Trusted || a.Across.Differ || len(a.Machines) != 4 {
		t.Errorf("A: %+v", a)
	}
	if !math.IsNaN(float64(a.Combined.Old)) || a.Combined.Bootstrap != nil || a.Combined.ForksNeeded != 0 {
		t.Errorf("A has times of all machines together: %+v", a.Combined)
	}
	b := of(t, r, "B", "ns/op")
	if b.Combined.Verdict != string(stat.Undecided) || !b.Across.Differ || b.Across.Share < 0.9 || b.Machines[0].Verdict != string(stat.Faster) || b.Machines[1].Verdict != string(stat.Slower) {
		t.Errorf("B: %+v", b)
	}
	if text := b.Combined.Warnings[0].Text; !strings.Contains(text, "the change differs between machines: a -20 %, b +2") || !strings.Contains(b.Advice, "add machines") {
		t.Errorf("B: %s; %s", text, b.Advice)
	}
	if c := of(t, r, "C", "ns/op"); c.Combined.Verdict != string(stat.Equivalent) {
		t.Errorf("C: %+v", c)
	}
	if len(r.Warnings) != 0 || len(r.Machines) != 4 || r.Machines[1].CPU != "cpu of b" {
		t.Errorf("%+v", r)
	}
}

// TestSpeedsDoNotMatter: how fast a machine is changes nothing but its own times.
func TestSpeedsDoNotMatter(t *testing.T) {
	like := func(speed float64) Row {
		r := combined(t, 2, machine{name: "a", speed: 100, changes: []float64{0.95}}, machine{name: "b", speed: speed, changes: []float64{0.97}}, machine{name: "c", speed: 50, changes: []float64{0.96}})
		return of(t, r, "A", "ns/op")
	}
	slow, fast := like(1000), like(1)
	for i, x := range []result.Number{slow.Combined.Ratio - fast.Combined.Ratio, slow.Combined.Lo - fast.Combined.Lo, slow.Across.SD - fast.Across.SD, slow.Components[2].SD - fast.Components[2].SD} {
		if math.Abs(float64(x)) > 1e-9 {
			t.Errorf("%d: %v", i, x)
		}
	}
}

// TestComponents: the drawn spreads of iterations, forks and machines are found again.
func TestComponents(t *testing.T) {
	var all []machine
	for i, change := range []float64{0.90, 0.94, 0.98, 1.02, 1.06, 1.10} { // sd 7.5 % of logs
		all = append(all, machine{name: fmt.Sprint("m", i), speed: math.Pow(10, float64(i)), changes: []float64{change}, noise: 0.02, forks: 20})
	}
	row := of(t, combined(t, 3, all...), "A", "ns/op")
	want := []struct {
		level string
		units int
		sd    float64
	}{{result.LevelIteration, 960, 0.02}, {result.LevelFork, 240, 0.02}, {LevelMachine, 6, 0.075}}
	if len(row.Components) != 3 {
		t.Fatalf("%+v", row.Components)
	}
	for i, c := range row.Components {
		if c.Level != want[i].level || c.Units != want[i].units || math.Abs(float64(c.SD)/want[i].sd-1) > 0.2 {
			t.Errorf("%+v, want %+v", c, want[i])
		}
	}
}

// TestTwoMachines: the interval is wide, and why is said.
func TestTwoMachines(t *testing.T) {
	r := combined(t, 4, machine{name: "a", speed: 100, changes: []float64{0.97}}, machine{name: "b", speed: 90, changes: []float64{0.97}})
	a := of(t, r, "A", "ns/op")
	if a.Combined.Verdict != string(stat.Undecided) || a.Across.These.Hi >= 1 || a.Combined.Hi <= 1 {
		t.Errorf("%+v", a)
	}
	if got := result.Codes(r.Warnings); !slices.Contains(got, CodeFew) {
		t.Errorf("%v", r.Warnings)
	}
}

// TestMissing: a benchmark that a machine lacks is combined from the others, and the machine is named.
func TestMissing(t *testing.T) {
	r := combined(t, 5, machine{name: "a", speed: 100, changes: []float64{1, 1}}, machine{name: "b", speed: 90, changes: []float64{1}}, machine{name: "c", speed: 80, changes: []float64{1, 1}, cut: true})
	b := of(t, r, "B", "ns/op")
	if len(b.Machines) != 2 || !strings.Contains(codes(b), CodeMissing) || b.Combined.Warnings[len(b.Combined.Warnings)-1].Text != "missing on b" {
		t.Errorf("%+v", b)
	}
	if got := result.Codes(r.Warnings); !slices.Contains(got, CodePartial) || !strings.HasPrefix(r.Warnings[len(r.Warnings)-1].Text, "c:") {
		t.Errorf("%v", r.Warnings)
	}
	only := of(t, combined(t, 5, machine{name: "a", speed: 100, changes: []float64{1, 0.5}}, machine{name: "b", speed: 90, changes: []float64{1}}), "B", "ns/op")
	if only.Combined.Verdict != string(stat.Undecided) || only.Across != nil || len(only.Machines) != 1 {
		t.Errorf("on one machine: %+v", only)
	}
}

// TestFewForks: a machine without an interval is not combined, and its distrust is that of the row.
func TestFewForks(t *testing.T) {
	r := combined(t, 6, machine{name: "a", speed: 100, changes: []float64{1}}, machine{name: "b", speed: 90, changes: []float64{1}, forks: 3}, machine{name: "c", speed: 80, changes: []float64{1}})
	a := of(t, r, "A", "ns/op")
	if a.Machines[1].Used || !a.Machines[2].Used || !strings.Contains(codes(a), CodeNotCombined) {
		t.Errorf("%+v", a)
	}
	if a.Combined.Trusted || !slices.Contains(a.Combined.Reasons, result.CodeFewForks) {
		t.Errorf("%+v", a.Combined.Reasons)
	}
}

// TestExact: counts are the same or not; there is nothing to weigh.
func TestExact(t *testing.T) {
	r := combined(t, 7, machine{name: "a", speed: 100, changes: []float64{1}, allocs: [2]float64{2, 3}}, machine{name: "b", speed: 90, changes: []float64{1}, allocs: [2]float64{2, 3}})
	a := of(t, r, "A", "allocs/op")
	if a.Combined.Verdict != string(stat.More) || a.Combined.Ratio != 1.5 || a.Across != nil || !math.IsNaN(float64(a.Combined.P)) || strings.Contains(codes(a), CodeNotCombined) {
		t.Errorf("%+v", a)
	}
}

// TestOtherProcessors: the default of GOMAXPROCS is another number on each machine.
func TestOtherProcessors(t *testing.T) {
	eight := func(r *record.Run, _ *record.Bin) { r.Config.CPU = []int{8} }
	r := combined(t, 8, machine{name: "a", speed: 100, changes: []float64{1}}, machine{name: "b", speed: 90, changes: []float64{1}, change: eight})
	if a := of(t, r, "A", "ns/op"); len(a.Machines) != 2 || a.Combined.Procs != 0 || a.Machines[1].Procs != 8 {
		t.Errorf("%+v", a)
	}
}

// TestRefused: what is not known to be the same is not combined, and the machines and what differs are named.
func TestRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*record.Run, *record.Bin)
		want   string // "": combined
	}{
		"alike":              {nil, ""},
		"another revision":   {func(r *record.Run, _ *record.Bin) { r.Sides[1].Revision = "ffff" }, "side new: the revision is 2c3d on a, ffff on b"},
		"one is changed":     {func(r *record.Run, _ *record.Bin) { r.Sides[1].Dirty = true }, "side new: the working tree is unchanged on a, changed on b"},
		"changed, same code": {func(r *record.Run, b *record.Bin) { r.Sides[1].Dirty, b.SHA256 = true, "a2" }, ""},
		"other names":        {func(r *record.Run, _ *record.Bin) { r.Sides[1].Name = "topic" }, "a compares old with new, and b compares old with topic"},
		"other flags":        {func(r *record.Run, _ *record.Bin) { r.Sides[0].Flags = []string{"-race"} }, "side old: the build flags are none on a, -race on b"},
		"other settings":     {func(r *record.Run, _ *record.Bin) { r.Config.GOGC = "50" }, "GOGC is none on a, 50 on b"},
		"one side":           {func(r *record.Run, _ *record.Bin) { r.Sides = nil }, "the run of b compares nothing"},
		"same name":          {func(r *record.Run, _ *record.Bin) { r.Machine = "a" }, "two runs are of machine a"},
		"no name":            {func(r *record.Run, _ *record.Bin) { r.Machine = "" }, "run 2 of the file does not name its machine"},
		"another verb":       {func(r *record.Run, _ *record.Bin) { r.Kind = record.KindTime }, "the run of b is of kind time"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := combine(t, 9, machine{name: "a", speed: 100, changes: []float64{1}}, machine{name: "b", speed: 90, changes: []float64{1}, change: tt.change})
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// TestGroups: runs without a group, copies and single runs are not combined.
func TestGroups(t *testing.T) {
	none := func(r *record.Run, _ *record.Bin) { r.Group = "" }
	alone := func(r *record.Run, _ *record.Bin) { r.Group = "h" }
	a, b := machine{name: "a", speed: 1, changes: []float64{1}}, machine{name: "b", speed: 2, changes: []float64{1}}
	text := file(t, 10, a, b, a, machine{name: "c", speed: 3, changes: []float64{1}, change: none}, machine{name: "d", speed: 4, changes: []float64{1}, change: alone})
	groups := Groups(runs.Read(bytes.NewReader(text), "x"))
	if len(groups) != 1 || len(groups[0]) != 2 {
		t.Errorf("%v", groups)
	}
}

// TestGates: a gate judges the combined change, not that of a machine.
func TestGates(t *testing.T) {
	for what, tt := range map[string]struct {
		changes [4]float64
		missed  bool
	}{
		"slower on all": {[4]float64{1.2, 1.2, 1.21, 1.2}, true},
		"slower on one": {[4]float64{1.2, 1, 1, 1}, false},
		"not slower":    {[4]float64{1, 1, 1, 1}, false},
	} {
		var all []machine
		for i, change := range tt.changes {
			all = append(all, machine{name: fmt.Sprint("m", i), speed: 100, changes: []float64{change, 1}})
		}
		gates, err := gate.Parse([]string{"slower:5%"})
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		res := combined(t, 12, all...).Judged()
		if err := gate.Check(gates, res, gate.LostNotDecided); err != nil {
			t.Fatal(err)
		}
		if err := gate.Report(&said, gates, res); (err != nil) != tt.missed || len(res.GatesIn(result.GateMissed)) > 0 != tt.missed {
			t.Errorf("%s: %v\n%s", what, err, &said)
		}
	}
}

// TestJSON: what is printed for programs can be read by them, whatever is not known.
func TestJSON(t *testing.T) {
	r := combined(t, 11, machine{name: "a", speed: 100, changes: []float64{1, 0.5}, allocs: [2]float64{1, 1}}, machine{name: "b", speed: 90, changes: []float64{1}, forks: 2})
	text, err := json.Marshal(r)
	if err != nil || !json.Valid(text) || !bytes.Contains(text, []byte(`"old":null`)) {
		t.Errorf("%v: %s", err, text)
	}
}
