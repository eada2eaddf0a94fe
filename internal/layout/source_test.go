//go:build linux || darwin

package layout

import (
	"errors"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWire: both halves of the exchange declare the same.
func TestWire(t *testing.T) {
	var halves []string
	for _, path := range []string{"wire.go", "helper/wire.go"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, declared, ok := strings.Cut(string(text), "\n// request is")
		if !ok {
			t.Fatalf("%s: no request", path)
		}
		halves = append(halves, declared)
	}
	if halves[0] != halves[1] {
		t.Error("wire.go and helper/wire.go declare different messages")
	}
}

// TestMachines: a machine is refused exactly if Go has no sizes for it.
func TestMachines(t *testing.T) {
	names := append(slices.Clone(machines), "", "vax", "armbe", "arm64be", "mips64p32", "mips64p32le", "ppc", "riscv", "s390", "sparc", "AMD64")
	for _, arch := range names {
		if known := types.SizesFor("gc", arch) != nil; known != slices.Contains(machines, arch) {
			t.Errorf("%q: go/types knows it: %v", arch, known)
		}
	}
}

// TestAnswersCutShort: an answer that is damaged anywhere is an error, and no struct.
func TestAnswersCutShort(t *testing.T) {
	packages := []*listed{{ImportPath: "a"}, {ImportPath: "b"}}
	q := Query{Packages: []string{"a", "b"}, Types: []Want{{Type: "T"}}}
	whole := `{"Structs":[{"Node":{"Type":"T","Size":8,"Align":8,"Struct":true}}]}` + "\n" + `{"Fault":"b.go:1:1: no"}` + "\n"
	if got, err := decodeAnswers(whole, packages, q); err != nil || len(got) != 2 || got[0].Structs[0].Node.Size != 8 || got[1].Fault == "" {
		t.Fatalf("%+v, %v", got, err)
	}
	for n := range len(whole) - 1 { // the last byte is a line end
		if got, err := decodeAnswers(whole[:n], packages, q); err == nil {
			t.Errorf("%q: %+v", whole[:n], got)
		}
	}
	if _, err := decodeAnswers(`{"Names":["U"]} {"Fault":"no"}`, packages, q); err == nil || !strings.Contains(err.Error(), "0 answers for 1 types of a") {
		t.Errorf("an answer for no type: %v", err)
	}
}

// TestDamagedCache: a program in the cache that cannot be run, and a cache that cannot be used, do not matter.
func TestDamagedCache(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell here")
	}
	dir := module(t, map[string]string{"m.go": "package m\n\ntype S struct{ a, b int32 }\n"})
	t.Setenv("GOCACHE", goCache(t)) // go itself would have no place for its own, either
	g, err := findGo(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	name := g.program().CacheName()
	for what, prepare := range map[string]func(cache string) error{
		"empty": func(cache string) error { return os.WriteFile(filepath.Join(cache, "tare", name), nil, 0o755) },
		"no program": func(cache string) error {
			return os.WriteFile(filepath.Join(cache, "tare", name), []byte("\x7fELF and no more"), 0o755)
		},
		"no directory": func(cache string) error {
			return errors.Join(os.Remove(filepath.Join(cache, "tare")), os.WriteFile(filepath.Join(cache, "tare"), nil, 0o644))
		},
	} {
		cache := t.TempDir()
		if err := os.Mkdir(filepath.Join(cache, "tare"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := prepare(cache); err != nil {
			t.Fatal(err)
		}
		t.Setenv("XDG_CACHE_HOME", cache)
		t.Setenv("HOME", cache)
		found, err := Load(t.Context(), Query{Dir: dir, Types: []Want{{Type: "S"}}})
		if err != nil || len(found.Structs) != 1 || found.Structs[0].Size != 8 {
			t.Errorf("%s: %+v, %v", what, found, err)
		}
		if st, err := os.Stat(filepath.Join(cache, "tare", name)); err == nil && st.Size() < 1<<20 {
			t.Errorf("%s: kept", what)
		}
	}
}

func goCache(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestProgramPerVersion: a program that another version of Go has built is another one.
func TestProgramPerVersion(t *testing.T) {
	a, b := goVersion{version: "go1.25.0"}.program().CacheName(), goVersion{version: "go1.27.0"}.program().CacheName()
	if a == b || a != (goVersion{command: "/elsewhere/go", version: "go1.25.0"}).program().CacheName() {
		t.Error(a, b)
	}
}
