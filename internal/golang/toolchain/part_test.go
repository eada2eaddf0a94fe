package toolchain_test

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/record"
)

func probe(t *testing.T) toolchain.Part {
	t.Helper()
	text, err := os.ReadFile("testdata/parts/probe.go")
	if err != nil {
		t.Fatal(err)
	}
	return toolchain.Part{Name: "Probe", Source: string(text)}
}

// TestPart: the part of a profiler is called when it was promised to be.
func TestPart(t *testing.T) {
	b := kindsBinary(t, "part", build.Options{Deep: true, Parts: []toolchain.Part{probe(t)}})
	s := bench(t, b, "^Benchmark(EmptyLoop|Stopped|Window|Fatal)$", "-test.benchtime=10x", "-test.count=2")
	if len(s.samples) != 6 || len(s.results) != 6 {
		t.Fatalf("%s\n%s", s.text, s.pipe)
	}
	var got []string
	for _, l := range s.others {
		var at, name string
		x := l.(*record.Raw)
		if err := errors.Join(json.Unmarshal(x.Fields["at"], &at), json.Unmarshal(x.Fields["name"], &name)); err != nil || x.Kind != "probe" {
			t.Fatalf("%+v: %v", x, err)
		}
		got = append(got, strings.TrimSpace(at+" "+strings.TrimPrefix(name, "Benchmark")))
	}
	loop := []string{"before EmptyLoop", "end EmptyLoop", "live EmptyLoop", "after EmptyLoop"}
	probing := []string{"before Window", "end Window", "after Window"} // with N = 1
	stopping := []string{"before Stopped", "end Stopped", "after Stopped"}
	want := slices.Concat([]string{"process", "before Main"}, loop, loop,
		stopping, stopping, stopping, stopping, probing, probing, probing, probing, []string{"before Fatal"})
	if !slices.Equal(got, want) {
		t.Errorf("called\n%q, want\n%q", got, want)
	}
	for _, x := range s.samples {
		begun, started := 2.0, 0.0 // testing starts the timer, the benchmark or b.Loop sets it to zero
		if x.end.Name == "Stopped" {
			begun, started = 1, 10
		}
		if x.get("timed") != float64(x.Ns) {
			t.Errorf("%s: the timer ran for %v ns between its starts and stops, and for %d ns", x.end.Name, x.get("timed"), x.Ns)
		}
		if x.get("begun") != begun || x.get("started") != started || x.get("timer") != 0 {
			t.Errorf("%s: %+v", x.end.Name, x.V)
		}
	}
}

// TestPartRefusals: an invalid part is an error before anything is built.
func TestPartRefusals(t *testing.T) {
	tc := named(t, "local")
	good := probe(t)
	for _, c := range []struct{ name, source, want string }{
		{"probe", good.Source, "begins with a capital"},
		{"Pro-be", good.Source, "begins with a capital"},
		{"Other", good.Source, "a variable tareOther"},
		{"Probe", "package other\n\nvar tareProbe int", "package testing"},
		{"Probe", "package testing\n\nfunc tareProbe() {}", "a variable tareProbe"},
		{"Probe", "package testing\n\nvar tareProbe = ", "expected"},
		{"Probe", "package testing\n\nimport \"encoding/json\"\n\nvar tareProbe = json.Valid", `must not import "encoding/json"`},
	} {
		_, err := toolchain.Testing(tc, toolchain.Part{Name: c.name, Source: c.source})
		if err == nil || errors.Is(err, toolchain.ErrUnsupported) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := toolchain.Testing(tc, good, good); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("twice the same: %v", err)
	}
	// Names that go would take for those of other systems.
	o, err := toolchain.Testing(tc, toolchain.Part{Name: "Windows", Source: strings.ReplaceAll(good.Source, "tareProbe ", "tareWindows ")})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := toolchain.Testing(tc)
	if err != nil || o.Sum() == plain.Sum() {
		t.Errorf("the same with a part as without: %v", err)
	}
}
