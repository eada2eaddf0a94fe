package env

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestMachines holds what is said about whole machines against golden files.
func TestMachines(t *testing.T) {
	for _, name := range machines {
		t.Run(name, func(t *testing.T) {
			h, c := fakeMachine(t, name)
			m := h.describe()
			m.GOMAXPROCS = 0 // of this process
			text := fmt.Sprintf("%+v\nvirtual: %q\n\n", m, m.Virtual()) + show(h.examine(c))
			text = strings.NewReplacer(c.TempDir, "$TMP", c.CacheDir, "$CACHE").Replace(text)
			golden(t, name, text)
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", path, got)
	}
}

// TestNothing examines a machine without any file, such as another system.
func TestNothing(t *testing.T) {
	h := fakeHost(fstest.MapFS{})
	h.os = "plan9"
	all := h.examine(Config{TempDir: t.TempDir(), CacheDir: t.TempDir()}.withDefaults())
	check(t, all)
	served := []string{"timer", "perf_event", "cpu limit", "virtual", "go", "temp", "cache"}
	for _, f := range all {
		want := NA
		if slices.Contains(served, f.Name) {
			want = OK
		}
		if f.Level != want {
			t.Errorf("%s is %q, want %q: %s", f.Name, f.Level, want, f.Text)
		}
	}
	m := h.describe()
	if m.OS != "plan9" || m.Cores < 1 || m.Memory != 0 || m.Virtual() != "" {
		t.Errorf("machine without files is %+v", m)
	}
}

// TestGarbage replaces each file of each machine by several kinds of garbage.
// Nothing may panic, and no finding may be lost or malformed.
func TestGarbage(t *testing.T) {
	kinds := map[string]string{
		"empty":    "",
		"blank":    " \n\n",
		"binary":   "\x00\xff\xfe(\x01)\x00:-\n\x80",
		"huge":     "99999999999999999999999999999999",
		"negative": "-1 -1 -1 -1 -1 -1 -1 -1 -1 -1",
		"long":     strings.Repeat("a b:c,d-e(f)", 1000),
		"dashes":   "- - - [ ] ( ) : :: ::/.. 0::/../..\n0::/" + strings.Repeat("x/", 200),
		"cpu":      "cpu ", "cpu minus": "cpu  1 -2 3 4 5 6 7 8\n",
	}
	for _, name := range machines {
		original, _ := fakeMachine(t, name)
		tree := original.root.(fstest.MapFS)
		for _, path := range slices.Sorted(maps.Keys(tree)) {
			for kind, content := range kinds {
				broken := maps.Clone(tree)
				broken[path] = &fstest.MapFile{Data: []byte(content)}
				h := fakeHost(broken)
				h.describe()
				all := h.examine(Config{Window: time.Second}) // without directories: no file is written
				if !check(t, all) {
					t.Fatalf("%s with %s %s", name, kind, path)
				}
			}
		}
	}
}

// TestDirectories: a directory where a file should be.
func TestDirectories(t *testing.T) {
	h, c := fakeMachine(t, "laptop")
	tree := h.root.(fstest.MapFS)
	for path := range maps.Clone(tree) {
		delete(tree, path)
		tree[path+"/x"] = &fstest.MapFile{}
	}
	check(t, h.examine(c))
	h.describe()
}

// check reports whether findings are well-formed: all there, in order, one line
// each, with advice if and only if they warn.
func check(t *testing.T, all []Finding) bool {
	t.Helper()
	names := []string{"clock", "timer", "perf_event", "steal", "load", "processes", "disk", "governor", "turbo",
		"smt", "cpu limit", "priority", "numa", "memory", "huge pages", "aslr", "virtual", "go", "temp", "cache"}
	var got []string
	good := true
	for _, f := range all {
		got = append(got, f.Name)
		wellFormed := f.Text != "" && (f.Advice != "") == (f.Level == Warn) &&
			!strings.ContainsAny(f.Text+f.Advice, "\n\x00") && !strings.Contains(f.Text, "%!") && len(f.Text) < 400
		if !wellFormed || !slices.Contains([]Level{OK, Warn, NA}, f.Level) {
			t.Errorf("malformed finding %.500q", f)
			good = false
		}
	}
	if !slices.Equal(got, names) {
		t.Errorf("findings are %q", got)
		good = false
	}
	return good
}

// TestExamineHere examines this machine; what it finds is logged, not judged.
func TestExamineHere(t *testing.T) {
	all, err := Examine(t.Context(), Config{Window: 100e6, ClockRead: 22, ClockResolution: 1})
	if err != nil {
		t.Fatal(err)
	}
	check(t, all)
	t.Logf("%+v\n%s", Describe(), show(all))
}

func TestDefaults(t *testing.T) {
	c := Config{}.withDefaults()
	if c.Window != 1e9 || c.TempDir == "" {
		t.Errorf("defaults are %+v", c)
	}
}

// noReading is a file system without permission to read anything.
type noReading struct{}

func (noReading) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func TestNoPermission(t *testing.T) {
	h := fakeHost(nil)
	h.root = noReading{}
	all := h.examine(Config{TempDir: t.TempDir(), CacheDir: t.TempDir()}.withDefaults())
	check(t, all)
	for _, f := range all {
		if f.Name == "aslr" && f.Text != "no permission to read /proc/sys/kernel/randomize_va_space" {
			t.Errorf("aslr: %s", f.Text)
		}
	}
}

func BenchmarkDescribe(b *testing.B) {
	for b.Loop() {
		Describe()
	}
}
