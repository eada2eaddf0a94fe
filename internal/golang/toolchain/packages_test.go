package toolchain_test

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// TestStandardLibrary: packages that testing itself imports can be measured, too.
func TestStandardLibrary(t *testing.T) {
	deepKinds(t) // makes the cache, or skips
	for _, c := range []struct {
		pkg, bench string
		least      int
	}{
		{"sort", "^Benchmark(SearchWrappers|SortInt1K|SortInt1K_Mod8|StableInt1K)$", 4},
		{"strings", "^Benchmark(IndexRune|BuildString_Builder|EqualFold)$", 8},
		{"encoding/json", "^Benchmark(UnmarshalString|UnmarshalInt64|EncodeMarshaler|EncoderEncode|NumberIsValid)$", 5},
	} {
		if c.pkg != "sort" && !testutil.Long() {
			continue
		}
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
	testutil.NeedLong(t, "downloads and builds packages of others")
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
	testutil.NeedLong(t, "builds the standard library for the race detector")
	b := kindsBinary(t, "race", build.Options{Deep: true, Flags: []string{"-race"}})
	s := bench(t, b, "^Benchmark(N|Loop|Parallel|Grain|Sub|Fatal)$", "-test.benchtime=2ms", "-test.count=3")
	if s.exit != 1 || strings.Contains(s.text, "DATA RACE") || len(s.samples) != 24 {
		t.Errorf("exit %d, %d samples\n%s", s.exit, len(s.samples), s.text)
	}
	s.check(t)
}

// versions are Go versions besides the one at hand, and which patches they support. Those that
// cannot be downloaded are skipped.
var versions = []struct {
	name                     string
	testing, probes, sampler bool
	allocs                   bool
}{
	{"go1.24.0", false, true, false, true}, // has another b.Loop
	{"go1.25.0", true, true, true, true},
	{"go1.27.0", true, true, true, true},
}

// TestVersions: a patch fits the versions that it is for, and the others are refused by name.
func TestVersions(t *testing.T) {
	testutil.NeedLong(t, "downloads other versions of Go")
	for _, v := range versions {
		t.Run(v.name, func(t *testing.T) {
			tc := named(t, v.name)
			check := func(what string, want bool, err error) {
				if want != (err == nil) || err != nil && (!errors.Is(err, toolchain.ErrUnsupported) || !strings.Contains(err.Error(), v.name+": ")) {
					t.Errorf("%s: %v", what, err)
				}
			}
			_, err := toolchain.Testing(tc)
			check("testing", v.testing, err)
			tc.OS, tc.Arch = "linux", "amd64"
			_, err = toolchain.Runtime(tc, toolchain.Probes)
			check("probes", v.probes, err)
			_, err = toolchain.Runtime(tc, toolchain.Totals)
			check("totals", v.probes, err)
			_, err = toolchain.Runtime(tc, toolchain.Sampler)
			check("sampler", v.sampler, err)
			_, err = toolchain.Runtime(tc, toolchain.Allocs)
			check("allocs", v.allocs, err)
		})
	}
}

// TestForeignVersions measures with those versions, which lie in the module cache, where go
// replaces no files: they are built by their second name.
func TestForeignVersions(t *testing.T) {
	if os.Getenv("TARE_FOREIGN") != "1" {
		t.Skip("TARE_FOREIGN is not 1: it takes building the standard library")
	}
	for _, v := range versions {
		if !v.testing {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			named(t, v.name)
			b := kindsBinary(t, v.name, build.Options{Deep: true, Toolchain: v.name})
			if b.Go != v.name {
				t.Errorf("built by %s", b.Go)
			}
			for _, args := range [][]string{
				{"-test.benchtime=1x"}, {"-test.benchtime=20x", "-test.count=2"}, {"-test.benchtime=5ms", "-test.count=3"},
			} {
				s := bench(t, b, good, append(args, "-test.skip=Pauses|Child")...)
				if s.exit != 0 || len(s.samples) < 14 {
					t.Errorf("exit %d\n%s", s.exit, s.text)
				}
				s.check(t)
			}
		})
	}
}

// TestUnsupported: a toolchain whose testing is another one is refused, by name.
func TestUnsupported(t *testing.T) {
	tc := named(t, "local")
	for _, c := range []struct {
		name string
		tc   *toolchain.Toolchain
		want string
	}{
		{"another system", &toolchain.Toolchain{Root: tc.Root, Version: tc.Version, OS: "windows"}, "windows"},
		{"nothing there", &toolchain.Toolchain{Root: t.TempDir(), Version: tc.Version, OS: "linux"}, "benchmark.go"},
	} {
		if _, err := toolchain.Testing(c.tc); !errors.Is(err, toolchain.ErrUnsupported) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	old := named(t, "go1.24.0") // has another b.Loop
	if _, err := toolchain.Testing(old); !errors.Is(err, toolchain.ErrUnsupported) || !strings.Contains(err.Error(), old.Version) {
		t.Errorf("%s: %v", old.Version, err)
	} else if !regexp.MustCompile(`testing/benchmark\.go: \w+: statement ".*"`).MatchString(err.Error()) {
		t.Errorf("names no place: %v", err)
	}
}

// TestConflicts knows what is taken.
func TestConflicts(t *testing.T) {
	tc := named(t, "local")
	o, err := toolchain.Testing(tc)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(tc.Root, "src", "testing")
	taken := []string{filepath.Join(dir, "benchmark.go"), dir, tc.Root}
	free := []string{filepath.Join(dir, "testing.go"), filepath.Join(dir, "bench"), dir + "x", "a.go"}
	if got := o.Conflicts(append(taken, free...)...); strings.Join(got, " ") != strings.Join(taken, " ") {
		t.Errorf("%q, want %q", got, taken)
	}
}
