package asm

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/internal/process/perfevent"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/timerlog"
	"github.com/tarebench/tare/record"
)

// TestBuildSums: whatever was counted wherever, all of it is in the record, once.
func TestBuildSums(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{self, "/not/here.so", "", "//anon", "[heap]"}
	for round := range 30 {
		events := make([]record.AsmEvent, 1+rng.IntN(3))
		tl := newTally(events)
		want := make([]int64, len(events))
		for range 1 + rng.IntN(300) {
			s := spot{kind: kind(rng.IntN(int(unknownPlace) + 1)), path: paths[rng.IntN(len(paths))], at: rng.Uint64N(4 << 20)}
			switch s.kind {
			case inKernel:
				s.at |= 0xffff << 48
				s.path = ""
			case inFile, linked:
				s.path = paths[rng.IntN(2)]
				if s.kind == linked {
					s.at += 0x400000
				}
			}
			e, n := rng.IntN(len(events)), 1+rng.Int64N(100)
			tl.add(s, e, n)
			want[e] += n
		}
		a := &record.Asm{}
		b := builder{cfg: Config{Keep: rng.Float64()}, tally: tl, binary: self, kernel: &kernel{}}
		if _, err := b.build(a); err != nil {
			t.Fatal(err)
		}
		got := make([]int64, len(events))
		for _, f := range a.Funcs {
			mine := make([]int64, len(events))
			for _, c := range f.Counts {
				for i, n := range c.N {
					mine[i] += n
				}
			}
			if !reflect.DeepEqual(mine, f.Samples) {
				t.Fatalf("round %d: %s has %v, and %v at its addresses", round, f.Name, f.Samples, mine)
			}
			for i, n := range mine {
				got[i] += n
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("round %d: %v samples, want %v", round, got, want)
		}
	}
}

// TestWithin: a window holds its begin and not its end; every sample is inside or outside.
func TestWithin(t *testing.T) {
	ws := []profiler.Window{{Begin: 10, End: 20}, {Begin: 20, End: 20}, {Begin: 25, End: 30}}
	for at, want := range map[int64]bool{9: false, 10: true, 19: true, 20: false, 24: false, 25: true, 29: true, 30: false, 99: false} {
		if got := timerlog.Contains(timerlog.NewTiming(ws, nil).Ran, at); got != want {
			t.Errorf("%d is inside: %v", at, got)
		}
	}
	s := perfSamples{&perfevent.Samples{
		Events: []perfevent.Event{{Name: "cpu-clock", Samples: 12, Skipped: 2, Frequency: 997}}, Lost: 3, CPU: 2 * time.Second,
	}, 20 * time.Microsecond}
	for at := range int64(10) {
		s.List = append(s.List, perfevent.Sample{IP: 1, Time: 5 * at, Kernel: at%2 == 0})
	}
	tl := s.tally(timerlog.NewTiming(ws, nil))
	if e := tl.events[0]; e.Samples != 3 || e.Outside != 9 || e.Kernel != 1 || e.Lost != 3 || e.Achieved != 6 {
		t.Errorf("%+v", e)
	}
	if c := s.cost(); c < 0.000119 || c > 0.000121 {
		t.Errorf("12 samples of 20 µs in 2 s are a share of %v", c)
	}
}

func TestSpotOf(t *testing.T) {
	lib := &perfevent.Map{Start: 0x7000, End: 0x9000, Offset: 0x100, Path: "/lib/x.so"}
	for _, c := range []struct {
		s    perfevent.Sample
		m    *perfevent.Map
		want spot
	}{
		{perfevent.Sample{IP: 0x7010}, lib, spot{inFile, "/lib/x.so", 0x110}},
		{perfevent.Sample{IP: 0x7010, Kernel: true}, lib, spot{inKernel, "", 0x7010}},
		{perfevent.Sample{IP: 0x7010}, nil, spot{unknownPlace, "", 0x7010}},
		{perfevent.Sample{IP: 0x7010}, &perfevent.Map{Start: 0x7000, Path: "[vdso]"}, spot{inVDSO, "[vdso]", 0x10}},
		{perfevent.Sample{IP: 0x7010}, &perfevent.Map{Start: 0x7000, Path: "//anon"}, spot{unknownPlace, "//anon", 0x7010}},
	} {
		if got := spotOf(c.s, c.m); got != c.want {
			t.Errorf("%+v in %+v: %+v, want %+v", c.s, c.m, got, c.want)
		}
	}
}

// TestJudge: few samples, lost ones, and pauses are warnings.
func TestJudge(t *testing.T) {
	codes := func(e record.AsmEvent) string {
		var out []string
		for _, w := range sampleWarnings(&record.Asm{Events: []record.AsmEvent{e}}) {
			out = append(out, w.Code)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		e    record.AsmEvent
		want string
	}{
		{record.AsmEvent{Samples: Few}, ""},
		{record.AsmEvent{Samples: Few - 1}, diagnosis.FewSamples},
		{record.AsmEvent{Samples: 9000, Outside: 900, Lost: 100}, ""},
		{record.AsmEvent{Samples: 9000, Outside: 880, Lost: 101}, diagnosis.LostSamples},
		{record.AsmEvent{Samples: 10, Lost: 10, Throttled: 1}, diagnosis.FewSamples + " " + diagnosis.LostSamples + " " + diagnosis.Throttled},
	} {
		if got := codes(c.e); got != c.want {
			t.Errorf("%+v: %q, want %q", c.e, got, c.want)
		}
	}
	w := sampleWarnings(&record.Asm{Events: []record.AsmEvent{{Samples: 100, Asked: 997, Period: 1003009}}})[0]
	if w.Text != "asm: 100 samples: a share of 10 % has a standard error of ± 3.0 points" || w.Advice != "1000 samples take 1.003s of CPU time at 997 per second" {
		t.Errorf("%q, %q", w.Text, w.Advice)
	}
}

// TestCalls: direct calls and jumps are named, whatever else the bytes are.
func TestCalls(t *testing.T) {
	find := func(addr uint64) (objfile.Function, bool) {
		for name, at := range map[string]uint64{"f": 0x2000, "g": 0x3000, "self": 0x1000} {
			if addr >= at && addr < at+0x100 {
				return objfile.Function{Name: name, Entry: at}, true
			}
		}
		return objfile.Function{}, false
	}
	none := func(uint64) (objfile.Datum, bool) { return objfile.Datum{}, false }
	rel := func(from int, to uint64) []byte {
		d := uint32(to - 0x1000 - uint64(from) - 4)
		return []byte{byte(d), byte(d >> 8), byte(d >> 16), byte(d >> 24)}
	}
	cat := func(bs ...[]byte) (out []byte) {
		for _, b := range bs {
			out = append(out, b...)
		}
		return out
	}
	both := []record.AsmSymbol{{Addr: 0x2000, Name: "f"}, {Addr: 0x3000, Name: "g"}}
	for _, c := range []struct {
		what, arch string
		code       []byte
		want       []record.AsmSymbol
	}{
		{"CALL and JMP", "amd64", cat([]byte{0x90, 0xe8}, rel(2, 0x2000), []byte{0xe9}, rel(7, 0x3000)), both},
		{"JNE", "amd64", cat([]byte{0x0f, 0x85}, rel(2, 0x3000)), both[1:]},
		{"into the middle", "amd64", cat([]byte{0xe8}, rel(1, 0x2004)), nil},
		{"itself", "amd64", cat([]byte{0xe8}, rel(1, 0x1000)), nil},
		{"cut off", "amd64", cat([]byte{0xe8}, rel(1, 0x2000))[:4], nil},
		{"BL and B", "arm64", []byte{0, 0, 0, 0x90, 0xff, 0x03, 0, 0x94, 0xfe, 0x07, 0, 0x14}, both},
		{"BL back", "arm64", []byte{0, 0, 0, 0x97}, nil},
		{"another machine", "riscv64", cat([]byte{0xe8}, rel(1, 0x2000)), nil},
	} {
		got := references(c.arch, 0x1000, c.code, names{find, none})
		if len(got)+len(c.want) > 0 && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}

func TestKernel(t *testing.T) {
	k := parseKernel("ffff00 T _stext\nffff20 D data\nffff30 t do_idle\nffff30 T alias\nffff40 t f [module]\nbad line\nxyz T g\n")
	for addr, want := range map[uint64]string{0xfffe00: kernelName, 0xffff00: "_stext", 0xffff25: "_stext", 0xffff30: "do_idle", 0xffff3f: "do_idle", 0xffffff: "f"} {
		if got, _ := k.find(addr); got != want {
			t.Errorf("%#x is in %s, want %s", addr, got, want)
		}
	}
	hidden := parseKernel("0000000000000000 T _stext\n0000000000000000 T f\n")
	if got, entry := hidden.find(0xffff); got != kernelName || entry != 0 {
		t.Errorf("%s at %#x", got, entry)
	}
}

// TestSources: files are found where the go command may have them, and left out when they
// were written to since.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	built := time.Now().Add(-time.Hour)
	write := func(name, text string, at time.Time) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	old, late := built.Add(-time.Minute), built.Add(time.Minute)
	write("m/go.mod", "module \"example.com/m\"\n", late)
	write("m/p/a.go", "one\ntwo\r\nthree", old)
	write("m/p/new.go", "new\n", late)
	write("m/p/long.go", strings.Repeat("x", 2*maxText)+"\n", old)
	write("cache/github.com/!burnt!sushi/toml@v1.0.0/b.go", "toml\n", old)
	write("go/VERSION", "go1.99.9\ntime x\n", old)
	write("go/src/sort/sort.go", "sort\n", old)
	write("go/src/testing/benchmark.go", "hooks\n", old)
	t.Setenv("GOMODCACHE", filepath.Join(dir, "cache"))
	t.Setenv("GOROOT", filepath.Join(dir, "go"))
	line := func(file string, n int) objfile.Source {
		return objfile.Source{Lines: []objfile.Line{{File: file, Line: n}}}
	}
	for _, c := range []struct {
		file    string
		line    int
		version string
		want    string
	}{
		{"example.com/m/p/a.go", 2, "", "two"},
		{"example.com/m/p/a.go", 3, "", "three"},
		{"example.com/m/p/a.go", 4, "", ""},
		{"example.com/m/p/long.go", 1, "", strings.Repeat("x", maxText)},
		{filepath.Join(dir, "m", "p", "a.go"), 1, "", "one"},
		{"command-line-arguments/a.go", 1, "", "one"},
		{"example.com/m/p/new.go", 1, "", ""},
		{"github.com/BurntSushi/toml@v1.0.0/b.go", 1, "", "toml"},
		{"sort/sort.go", 1, "go1.99.9", "sort"},
		{"sort/sort.go", 1, "go1.99.8", ""},
		{"testing/benchmark.go", 1, "go1.99.9", ""},
		{"_cgo_gotypes.go", 1, "", ""},
		{"", 1, "", ""},
		{"example.com/m/p/a.go", 0, "", ""},
	} {
		s := newSources(filepath.Join(dir, "m", "p"), objfile.Modules{GoVersion: c.version}, built)
		got := ""
		if texts := s.texts(line(c.file, c.line)); len(texts) > 0 {
			got = texts[0].Text
		}
		if got != c.want {
			t.Errorf("%s:%d with %q: %q, want %q", c.file, c.line, c.version, got, c.want)
		}
		if changed := fmt.Sprint(s.changed); (changed != "[]") != strings.HasSuffix(c.file, "new.go") {
			t.Errorf("%s: changed %s", c.file, changed)
		}
	}
}

// TestRefused: if a command cannot be sampled, the error says what to do.
func TestRefused(t *testing.T) {
	for err, want := range map[error]string{syscall.EACCES: "perf_event_paranoid", syscall.ENOSYS: "net/http/pprof"} {
		var e *profiler.UnavailableError
		if got := refusedCommand(fmt.Errorf("cpu-clock: %w", err)); !errors.Is(got, err) || !errors.As(got, &e) || !strings.Contains(e.Advice, want) || !strings.Contains(e.Advice, "runtime/pprof") {
			t.Errorf("%v: %v, %+v", err, got, e)
		}
	}
}

func TestNameOf(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	for path, want := range map[string]string{
		"/x/sort-" + hash + ".test": "sort.test", "/x/tool-" + hash: "tool", "/x/burn": "burn", "/x/a-b.test": "a-b.test",
	} {
		if got := nameOf(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}
