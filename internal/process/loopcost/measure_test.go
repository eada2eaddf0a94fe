//go:build linux || darwin

package loopcost

import (
	"os"
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestMeasure: the loops of this test's own toolchain and settings, of every form, at each GOMAXPROCS.
func TestMeasure(t *testing.T) {
	testutil.NeedSeconds(t, "builds a program and runs it")
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	loops, err := Measure(t.Context(), l, path, []int{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	var forms []string
	for i, x := range loops {
		forms = append(forms, x.Form)
		if x.Min < 0.02 || x.First <= 0 || x.Procs != 1+i/3 {
			t.Errorf("%+v: quicker than any processor", x)
		}
	}
	if want := []string{record.FormN, record.FormLoop, record.FormParallel}; !slices.Equal(forms, append(want, want...)) {
		t.Errorf("%q", forms)
	}
}

// TestSettings: what changes a loop is in the key, and no other key is.
func TestSettings(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := settingsOf(path)
	if err != nil || s.version == "" {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, f := range append(s.flags, s.env...) {
		if f == "-trimpath=true" || f == "-buildmode=exe" {
			t.Errorf("%s changes no loop", f)
		}
	}
	a, errA := Key(path)
	if b, errB := Key(path); errA != nil || errB != nil || a != b {
		t.Errorf("%s, %v; %s, %v", a, errA, b, errB)
	}
	if _, err := Key(t.TempDir()); err == nil {
		t.Error("a directory has build settings")
	}
}

func TestDecode(t *testing.T) {
	for text, ok := range map[string]bool{
		`[{"form":"b.N","procs":2,"min":0.3,"max":0.6,"first":90}]`: true,
		`[{"form":"b.N","procs":2,"min":0,"max":0}]`:                false,
		`[{"form":"b.N","procs":0,"min":1,"max":1}]`:                false,
		`[{"form":"b.N","procs":2,"min":2,"max":1}]`:                false,
		``: false,
	} {
		if loops, err := decode([]byte(text)); (err == nil) != ok || ok && loops[0].First != 90 {
			t.Errorf("%s: %+v, %v", text, loops, err)
		}
	}
}
