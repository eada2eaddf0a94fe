package toolchain_test

import (
	"errors"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/toolchain"
)

// TestStandardLibrary: packages that testing itself imports can be measured, too.
func TestStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds several packages")
	}
	deepKinds(t) // makes the cache, or skips
	for _, c := range []struct {
		pkg, bench string
		least      int
	}{
		{"sort", "^Benchmark(SearchWrappers|SortInt1K|SortInt1K_Mod8|StableInt1K)$", 4},
		{"strings", "^Benchmark(IndexRune|BuildString_Builder|EqualFold)$", 8},
		{"encoding/json", "^Benchmark(UnmarshalString|UnmarshalInt64|EncodeMarshaler|EncoderEncode|NumberIsValid)$", 5},
	} {
		b := buildOne(t, build.Options{Deep: true, CacheDir: kinds.dir}, c.pkg)
		for _, args := range [][]string{{"-test.benchtime=1x"}, {"-test.benchtime=10x", "-test.count=2"}} {
			s := bench(t, b, c.bench, args...)
			if s.exit != 0 || len(s.samples) < c.least {
				t.Errorf("%s: exit %d, %d samples\n%s", c.pkg, s.exit, len(s.samples), s.text)
			}
			s.check(t)
		}
	}
}

// TestModules: packages of others, with a TestMain of their own.
func TestModules(t *testing.T) {
	if testing.Short() {
		t.Skip("builds several packages")
	}
	deepKinds(t)
	for _, c := range []struct {
		pkg, bench string
		least      int
	}{
		{"github.com/klauspost/compress/zstd@v1.20.3", "^Benchmark(Encoder_EncodeAllSimple4K|BuildDtable|Random4KEncodeAllDefault)$", 3},
		{"github.com/dgraph-io/ristretto/v2/z@v2.4.2", "^Benchmark(M_New|M_Clear|M_Add|Allocate)$", 4},
	} {
		t.Run(path.Base(c.pkg), func(t *testing.T) {
			opt := build.Options{Deep: true, CacheDir: kinds.dir, Dir: kinds.dir}
			pkgs, err := build.Resolve(t.Context(), opt, []string{c.pkg})
			if err != nil {
				t.Fatal(err)
			}
			if err := pkgs[0].Error; err != nil {
				t.Skipf("cannot be had here: %v", err)
			}
			b, err := build.Build(t.Context(), opt, pkgs[0])
			if err != nil {
				t.Fatal(err)
			}
			s := bench(t, b, c.bench, "-test.benchtime=1x", "-test.count=2")
			if len(s.samples) < c.least {
				t.Errorf("exit %d, %d samples\n%s", s.exit, len(s.samples), s.text)
			}
			s.check(t)
		})
	}
}

// TestRace: the hooks have no races of their own.
func TestRace(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library for the race detector")
	}
	b := kindsBinary(t, "race", build.Options{Deep: true, Flags: []string{"-race"}})
	s := bench(t, b, "^Benchmark(N|Loop|Parallel|Grain|Sub|Fatal)$", "-test.benchtime=2ms", "-test.count=3")
	if s.exit != 1 || strings.Contains(s.text, "DATA RACE") || len(s.samples) != 24 {
		t.Errorf("exit %d, %d samples\n%s", s.exit, len(s.samples), s.text)
	}
	s.check(t)
}

// older are toolchains that have to fit besides the one at hand, if they are to
// be had.
var older = []string{"go1.25.0"}

// TestOlderToolchains also goes the way around the module cache, where go keeps
// the toolchains that it has fetched.
func TestOlderToolchains(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	for _, name := range older {
		goroot(t, name)
		b := kindsBinary(t, name, build.Options{Deep: true, Toolchain: name})
		if b.Go != name {
			t.Errorf("built by %s, want %s", b.Go, name)
		}
		for _, args := range [][]string{
			{"-test.benchtime=1x"}, {"-test.benchtime=20x", "-test.count=2"}, {"-test.benchtime=5ms", "-test.count=3"},
		} {
			s := bench(t, b, good, append(args, "-test.skip=Pauses|Child")...)
			if s.exit != 0 || len(s.samples) < 14 {
				t.Errorf("%s: exit %d\n%s", name, s.exit, s.text)
			}
			s.check(t)
		}
	}
}

// TestUnfit: a toolchain whose testing is another one is refused, by name.
func TestUnfit(t *testing.T) {
	tc := goroot(t, "local")
	for _, c := range []struct {
		name string
		tc   toolchain.Toolchain
		want string
	}{
		{"another system", toolchain.Toolchain{Root: tc.Root, Version: tc.Version, OS: "windows"}, "a pipe on windows"},
		{"nothing there", toolchain.Toolchain{Root: t.TempDir(), Version: tc.Version, OS: "linux"}, "benchmark.go"},
	} {
		if _, err := toolchain.New(c.tc); !errors.Is(err, toolchain.ErrUnfit) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	old := goroot(t, "go1.24.0") // has another b.Loop
	if _, err := toolchain.New(old); !errors.Is(err, toolchain.ErrUnfit) || !strings.Contains(err.Error(), old.Version) {
		t.Errorf("%s: %v", old.Version, err)
	} else if !regexp.MustCompile(`testing/benchmark\.go: \w+: statement ".*"`).MatchString(err.Error()) {
		t.Errorf("names no place: %v", err)
	}
}

// TestReplaces knows what is taken.
func TestReplaces(t *testing.T) {
	tc := goroot(t, "local")
	o, err := toolchain.New(tc)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(tc.Root, "src", "testing")
	taken := []string{filepath.Join(dir, "benchmark.go"), dir, tc.Root}
	free := []string{filepath.Join(dir, "testing.go"), filepath.Join(dir, "bench"), dir + "x", "a.go"}
	if got := o.Replaces(append(taken, free...)...); strings.Join(got, " ") != strings.Join(taken, " ") {
		t.Errorf("%q, want %q", got, taken)
	}
}
