package asm_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/record"
)

// profiled has Go's own profiler look at testdata/burn.
func profiled(t *testing.T, bin string) string {
	t.Helper()
	path := bin + ".pprof"
	if _, err := os.Stat(path); err == nil {
		return path // of another test
	}
	if out, err := exec.Command(bin, "profile", path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestFromPprof: Go's CPU profile says the same, with fewer samples, wherever the program
// was loaded; without a name of the file, too.
func TestFromPprof(t *testing.T) {
	for _, flags := range [][]string{nil, {"-buildmode=pie"}} {
		bin := burner(t, flags...)
		path := profiled(t, bin)
		for _, named := range []string{bin, ""} {
			a, warnings, err := asm.FromPprof(path, named, asm.Config{})
			if err != nil {
				t.Fatalf("%v: %v", flags, err)
			}
			sound(t, a)
			e := a.Events[0]
			if a.Source != record.AsmPprof || e.Name != "cpu" || e.Asked != 100 || e.Period != 1e7 {
				t.Errorf("%s, %+v", a.Source, e)
			}
			if f := function(t, a, "main.burn"); f.Samples[0] < 1 || len(f.Code) == 0 || len(f.Texts) == 0 {
				t.Errorf("%v: %d of %d samples, %d bytes of code, %d lines of sources", flags, f.Samples[0], e.Samples, len(f.Code), len(f.Texts))
			}
			if e.Samples < asm.Few && (len(warnings) == 0 || warnings[0].Code != diagnosis.FewSamples) {
				t.Errorf("%d samples, warnings %v", e.Samples, warnings)
			}
		}
	}
}

// TestFromPprofBad: a profile of another program, one that is cut off, and what is none.
func TestFromPprofBad(t *testing.T) {
	bin := burner(t)
	path := profiled(t, bin)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	write := func(name string, change func(*profile.Profile)) string {
		p, err := profile.ParseData(whole)
		if err != nil {
			t.Fatal(err)
		}
		change(p)
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := p.Write(f); err != nil {
			t.Fatal(err)
		}
		return f.Name()
	}
	for _, c := range []struct{ path, binary, want string }{
		{path, os.Args[0], "is a profile of another build than " + os.Args[0]},
		{file("cut", whole[:len(whole)/2]), bin, "cut: not a whole profile"},
		{file("empty", nil), bin, "empty: not a whole profile"},
		{file("bomb", bomb(t)), bin, "bomb: what the profile unpacks to is larger than 100 times the file"},
		{file("text", []byte("PK is no profile")), bin, "text: not a whole profile"},
		{path, path, "not an executable file"},
		{path, bin + ".not", "no such file"},
		{path + ".not", bin, "no such file"},
		{write("heap", func(p *profile.Profile) { p.SampleType[0].Type = "inuse_objects" }), bin, "not a CPU profile"},
		{write("none", func(p *profile.Profile) { p.Sample = nil }), bin, "no samples in"},
		{write("zero", func(p *profile.Profile) {
			for _, s := range p.Sample {
				s.Value[0] = 0
			}
		}), bin, "no samples in"},
		{write("nameless", func(p *profile.Profile) { p.Mapping[0].File = "" }), "", "names no program"},
	} {
		_, _, err := asm.FromPprof(c.path, c.binary, asm.Config{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s: %v, want %q", filepath.Base(c.path), filepath.Base(c.binary), err, c.want)
		}
	}
}

// TestFromPprofPlaces: addresses outside of the program are kept, each under what is known.
func TestFromPprofPlaces(t *testing.T) {
	bin := burner(t)
	p, err := profile.Parse(mustOpen(t, profiled(t, bin)))
	if err != nil {
		t.Fatal(err)
	}
	maps := []*profile.Mapping{
		{ID: 101, Start: 0x7f0000000000, Limit: 0x7f0000001000, File: "[vdso]"},
		{ID: 102, Start: 0x7f0000100000, Limit: 0x7f0000200000, File: "/lib/not-here.so", Offset: 0x1000},
		{ID: 103, Start: 0x7f0000300000, Limit: 0x7f0000400000, File: "//anon"},
		nil,
	}
	for i, m := range maps {
		l := &profile.Location{ID: uint64(1000 + i), Address: 0x7f0000000010 + uint64(i)<<20, Mapping: m}
		if m != nil {
			p.Mapping = append(p.Mapping, m)
		}
		p.Location = append(p.Location, l)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: []int64{int64(2 + i), 0}})
	}
	path := filepath.Join(t.TempDir(), "more.pprof")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := p.Write(f); err != nil {
		t.Fatal(err)
	}
	a, _, err := asm.FromPprof(path, bin, asm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, a)
	for _, c := range []struct {
		name, area string
		least      int64
	}{{"[vdso]", record.AreaVDSO, 2}, {"[not-here.so]", "not-here.so", 3}, {"[anon]", record.AreaUnknown, 4}, {"[unknown]", record.AreaUnknown, 5}} {
		if f := function(t, a, c.name); f.Area != c.area || f.Samples[0] < c.least {
			t.Errorf("%+v, want %s of %s", f, c.name, c.area)
		}
	}
}

// bomb is little that unpacks to much.
func bomb(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.Repeat(b.Bytes(), 257) // members of one file
}

func mustOpen(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
