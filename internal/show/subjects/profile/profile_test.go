package profile_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/show/subjects/profile"
	"github.com/tarebench/tare/record"
)

// packed is a profile as a record has it.
func packed(t testing.TB, p *pprof.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRead(t *testing.T) {
	p, _ := wall()
	whole := packed(t, p)
	if q, err := profile.Read(whole); err != nil || len(q.Sample) != len(p.Sample) {
		t.Fatalf("%v", err)
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "it is empty"},
		{"text", []byte("<html>404"), "not a whole profile"},
		{"cut", whole[:len(whole)/2], "not a whole profile"},
		{"no types", packed(t, &pprof.Profile{}), "no sample types"},
	} {
		if _, err := profile.Read(c.data); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestConfig(t *testing.T) {
	p, how := wall()
	bad := *how
	bad.Interval = 0
	for _, c := range []struct {
		c    profile.Config
		want string
	}{
		{profile.Config{Type: "cycles"}, `no sample type "cycles": there are ["samples" "wall" "twice"]`},
		{profile.Config{How: &bad}, "an interval of 0 ns"},
	} {
		if _, err := profile.New(p, c.c); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestSums: self adds up to all, recursion counts once, and shares are as far off as a
// binomial share of so many looks is.
func TestSums(t *testing.T) {
	for name, of := range map[string]func() (*pprof.Profile, *record.Sampled){"wall": wall, "cpu": cpu, "woven": woven, "empty": empty} {
		v := view(t, of, profile.Config{})
		var self int64
		for _, f := range v.Functions {
			self += f.Self
			if f.Total > v.Total || f.Self > f.Total {
				t.Errorf("%s: %+v of %d", name, f, v.Total)
			}
		}
		if self != v.Total {
			t.Errorf("%s: self adds up to %d of %d", name, self, v.Total)
		}
	}
	v := view(t, cpu, profile.Config{})
	if got, want := v.Functions[0].SelfError, math.Sqrt(0.7*0.3/1000); math.Abs(got-want) > 1e-12 {
		t.Errorf("standard error %v, want %v", got, want)
	}
	v = view(t, wall, profile.Config{}) // 200 samples, but only 100 looks, each of which has found main.worker or what it calls
	worker := v.Functions[1]
	if m := 660. / 1002; worker.Name != "main.worker" || math.Abs(worker.SelfError-math.Sqrt(m*(1-m)/100)*1002/2003) > 1e-6 ||
		math.Abs(worker.SelfValueError-math.Sqrt(m*(1-m)/100)*1002e6) > 1 {
		t.Errorf("%+v", worker)
	}
	if sleep := v.Functions[0]; sleep.SelfError != 0 || sleep.SelfValueError != 0 {
		t.Errorf("found in each look: %+v", sleep)
	}
	v = view(t, woven, profile.Config{})
	if v.Functions[0].SelfError != 0 || len(v.Edges) != 0 || len(v.Reasons) != 0 {
		t.Errorf("what was counted has errors: %+v", v)
	}
}

// TestErrors: what is known of all goroutines together counts where they are shown together.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		config profile.Config
		known  bool
	}{{profile.Config{Type: record.TypeWall}, true}, {profile.Config{Type: record.TypeSamples}, false}} {
		p, how := wall()
		how.Errors = []record.SampledError{{Name: "main.worker", Self: 3, Total: 4, SelfShare: 0.125, TotalShare: 0.25}}
		c.config.How = how
		v, err := profile.New(p, c.config)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range v.Functions {
			got := f.SelfError == 0.125 && f.TotalError == 0.25 && f.SelfValueError == 3 && f.TotalValueError == 4
			if f.Name == "main.worker" && got != c.known || f.Name != "main.worker" && got {
				t.Errorf("%+v: %+v", c.config, f)
			}
		}
	}
}

// TestSeen: calls of known lengths are seen as often as it is said, by looks at equal distances
// and at random ones.
func TestSeen(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const interval, tries = 16_000, 20_000
	for _, mode := range []string{record.SampledCPU, record.SampledWall} {
		how := &record.Sampled{Mode: mode, Interval: interval / 2, Achieved: interval}
		for _, call := range []float64{0, 500, 1000, 8000, 16_000, 24_000, 31_000, 40_000} {
			seen := 0
			for range tries {
				at, sample := 100*interval*rng.Float64(), -100*interval*rng.Float64() // long ago
				for sample < at {
					gap := float64(interval)
					if mode == record.SampledWall {
						gap = 1000 + 30_000*rng.Float64()
					}
					sample += gap
				}
				if sample < at+call {
					seen++
				}
			}
			if got, want := profile.Seen(how, call), float64(seen)/tries; math.Abs(got-want) > 0.015 {
				t.Errorf("%s: a call of %v ns: %v, and %v were seen", mode, call, got, want)
			}
		}
	}
	if got := profile.Seen(&record.Sampled{Interval: 100}, 25); got != 0.25 {
		t.Errorf("%v without an interval that came out", got)
	}
}

// TestGoTool: what Pprof writes is read by go tool pprof, of all kinds of profiles.
func TestGoTool(t *testing.T) {
	for name, of := range map[string]func() (*pprof.Profile, *record.Sampled){"wall": wall, "woven": woven} {
		var b bytes.Buffer
		if err := view(t, of, profile.Config{}).Pprof(&b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name+".pb.gz")
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "tool", "pprof", "-top", path).CombinedOutput()
		want := map[string]string{"wall": "time.Sleep", "woven": "main.g"}[name]
		if err != nil || !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

type full struct{ room int }

var errFull = errors.New("no room")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// looks are all ways to show a view.
func looks(v *profile.View) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"text": func(w io.Writer) error { return v.Text(w, profile.Options{UTF8: true}) }, "json": v.JSON,
		"collapsed": v.Collapsed, "pprof": v.Pprof, "flame": v.Flame,
	}
}

func TestWriteErrors(t *testing.T) {
	for name, show := range looks(view(t, wall, profile.Config{})) {
		if err := show(&full{1}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDeterministic: the same profile looks the same, whatever the order of its samples.
func TestDeterministic(t *testing.T) {
	p, how := wall()
	a := view(t, wall, profile.Config{})
	q := p.Copy()
	for i, j := 0, len(q.Sample)-1; i < j; i, j = i+1, j-1 {
		q.Sample[i], q.Sample[j] = q.Sample[j], q.Sample[i]
	}
	b, err := profile.New(q, profile.Config{How: how, Path: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, show := range looks(a) {
		if name == "pprof" {
			continue // keeps the order
		}
		var x, y bytes.Buffer
		if err := errors.Join(show(&x), looks(b)[name](&y)); err != nil || x.String() != y.String() {
			t.Errorf("%s: %v\n%s\n%s", name, err, x.String(), y.String())
		}
	}
}

// TestDeep: recursion of thousands of calls.
func TestDeep(t *testing.T) {
	names := make([]string, 5000)
	for i := range names {
		names[i] = fmt.Sprintf("main.f%d", i%3)
	}
	v := view(t, func() (*pprof.Profile, *record.Sampled) {
		return made("samples/count", strings.Join(names, ";")+"|| 7"), nil
	}, profile.Config{})
	if len(v.Functions) != 3 || v.Functions[0].Total != 7 {
		t.Errorf("%+v", v.Functions)
	}
	for name, show := range looks(v) {
		if err := show(io.Discard); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzShow: whatever is in a profile, each look is well formed.
func FuzzShow(f *testing.F) {
	for _, of := range []func() (*pprof.Profile, *record.Sampled){wall, cpu, woven, empty} {
		p, _ := of()
		f.Add(packed(f, p), 80)
	}
	f.Fuzz(func(t *testing.T, data []byte, width int) {
		p, err := profile.Read(data)
		if err != nil {
			return
		}
		v, err := profile.New(p, profile.Config{Path: true})
		if err != nil {
			t.Fatal(err)
		}
		var text, js, svg bytes.Buffer
		if err := errors.Join(v.Text(&text, profile.Options{Width: width % 300}), v.JSON(&js), v.Flame(&svg), v.Collapsed(io.Discard)); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(text.Bytes()) || !json.Valid(js.Bytes()) {
			t.Errorf("%q\n%s", text.String(), js.String())
		}
		for d := xml.NewDecoder(&svg); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestStarved: where the program used less CPU time than it was found running, that is said above the table, and running
// times are called upper bounds.
func TestStarved(t *testing.T) {
	p, how := wall()
	how.Running, how.CPU = 100*how.Interval, how.Interval
	v, err := profile.New(p, profile.Config{How: how, Warnings: []profile.Warning{{Code: "few-looks", Text: "few"}, {Code: "looks-starved", Text: "others had the processors"}}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := v.Text(&b, profile.Options{}); err != nil {
		t.Fatal(err)
	}
	machine, table, few := strings.Index(b.String(), "others had the processors"), strings.Index(b.String(), "function"), strings.LastIndex(b.String(), "few")
	if machine < 0 || machine > table || table > few || !strings.Contains(b.String(), "running (upper bound)") {
		t.Errorf("machine at %d, table at %d, few at %d:\n%s", machine, table, few, &b)
	}
}
