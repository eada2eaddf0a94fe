package fork

import (
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestPatternMatchesOneName runs, for each name that discovery finds among the
// nastiest there are, a fork of that name, and wants that name and no other.
func TestPatternMatchesOneName(t *testing.T) {
	testutil.NeedLong(t, "runs a fork for each name")
	h := newHostile(t)
	for _, procs := range []int{1, 2} {
		const bench = `^Benchmark(Names.*|Deep|1+|世界)?$`
		found := h.discover(t, Selection{Bench: bench, Procs: procs})
		out, err := exec.Command(world.bin, "-test.run=^$", "-test.bench="+bench, "-test.benchtime=1x").Output()
		if want := strings.Count(string(out), " ns/op\n"); err != nil || len(found) != want || want < 80 {
			t.Fatalf("%d names were found, testing prints %d (%v)", len(found), want, err)
		}
		seen := map[string]bool{}
		for _, f := range found {
			if seen[f.Name] || f.Failed != nil {
				t.Errorf("%q was found twice or failed: %+v", f.Name, f.Failed)
			}
			seen[f.Name] = true
			if procs == 2 && len(seen)%8 != 0 {
				continue // the other suffix is the only difference
			}
			s := h.spec(f.Name, procs)
			s.Benchtime, s.Count = "2x", 1
			if out := h.fork(t, s); out.Fork.State != record.StateOK || len(out.Samples) != 1 {
				t.Errorf("%q, %d procs: %s: %s\n%s", f.Name, procs, out.Fork.State, out.Fork.Why, out.Fork.Tail)
			}
		}
	}
}

// patterns are what people and machines pass to -bench.
var patterns = []string{
	".", "Deep", "^BenchmarkDeep$", "Deep/x", "Deep/x/1", "Deep/x/1$", "Deep//x", "Deep/(x|y)/2", "Deep/x|y", "NamesÜ/^a$|Deep/y",
	"Deep/[x/]/1", "Deep/x/2/x|1", `1\b`, "^Benchmark1*$", "Names 2", `Names\x5f2`, "Names_2/b", "NamesÜ/ab|NamesÜ/a$",
	"(Deep|Names_2)/[ax]", "Deep/y|Deep", "Deep/[]x]", "Benchmark$/x", "世|1{2}", "(?i)deep/X", "none",
}

// TestNarrow holds split and narrow against testing itself: what a pattern runs
// as a whole and what it runs narrowed to each function must be the same.
func TestNarrow(t *testing.T) {
	testutil.NeedLong(t, "runs a fork for each name")
	h := newHostile(t)
	functions := []string{"Names_2", "NamesÜ", "", "1", "11", "世界", "Deep"}
	list, err := exec.Command(world.bin, "-test.list=^Benchmark").Output()
	if err != nil {
		t.Fatal(err)
	}
	skip := ""
	for _, name := range strings.Fields(string(list)) {
		if function := strings.TrimPrefix(name, "Benchmark"); !slices.Contains(functions, function) {
			skip = anyOf(skip, Pattern(function))
		}
	}
	for _, pattern := range patterns {
		all := Selection{Bench: pattern, Skip: skip, Procs: 2}
		var want []string
		for _, f := range h.discover(t, all) {
			want = append(want, f.Name)
		}
		var got []string
		rediscover := all
		rediscover.Bench = "" // runs nothing
		for _, function := range functions {
			if w, ok := restrictTo(all, function); ok {
				rediscover.Bench = anyOf(rediscover.Bench, w.Bench) // they do not meet: each is for one function
			}
		}
		for _, f := range h.discover(t, rediscover) {
			got = append(got, f.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: narrowed %q\n as a whole %q", pattern, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		pattern string
		want    [][]string
	}{
		{"", [][]string{{""}}},
		{"a", [][]string{{"a"}}},
		{"a/b", [][]string{{"a", "b"}}},
		{"a|b", [][]string{{"a"}, {"b"}}},
		{"a/b|c/d/e", [][]string{{"a", "b"}, {"c", "d", "e"}}},
		{"/|/", [][]string{{"", ""}, {"", ""}}},
		{"[a|/b]/c", [][]string{{"[a|/b]", "c"}}},
		{"(a|/b)/c", [][]string{{"(a|/b)", "c"}}},
		{"((a|b)/c)|d", [][]string{{"((a|b)/c)"}, {"d"}}},
		{`a\/b\|c`, [][]string{{`a\/b\|c`}}},
		{`a\`, [][]string{{`a\`}}},
		{"[(]/b", [][]string{{"[(]", "b"}}},
		{"[)]|b", [][]string{{"[)]"}, {"b"}}},
		{"a]/b", [][]string{{"a]", "b"}}},
		{"[[/]]/b", [][]string{{"[[/]]", "b"}}},
	} {
		if got := splitPattern(test.pattern); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.pattern, got, test.want)
		}
	}
}

// TestCheckPattern: what we find wrong with a pattern testing must refuse, and
// the other way round.
func TestCheckPattern(t *testing.T) {
	newHostile(t)
	for _, pattern := range []string{
		"a", "a/b|c", "[", "a/[", "a|(", "a)", "a)/b", "*", "a/*", "a|*b", `\`, `a/\q`, "(?P<n>a)", "(?<n>a", "[z-a]", "a{1001}", "a b", "世",
	} {
		err := CheckPattern(pattern)
		out, rejected := exec.Command(world.bin, "-test.run=^$", "-test.bench="+pattern, "-test.skip=.").CombinedOutput()
		if (err != nil) != (rejected != nil) {
			t.Errorf("%q: error %v, testing %v: %s", pattern, err, rejected, out)
		}
	}
}

// FuzzPattern: a pattern made of a name that testing may print is one
// alternative, survives what testing does to patterns, and each of its parts
// matches its part of the name alone.
func FuzzPattern(f *testing.F) {
	for _, name := range []string{"", "a", "a/b", "a|b/(c", `\Q/[`, "a\nb", "\xff"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		name = rewrite(name)
		pattern := Pattern(name)
		parts, alts := strings.Split("Benchmark"+name, "/"), splitPattern(pattern)
		if len(alts) != 1 || len(alts[0]) != len(parts) || rewrite(pattern) != pattern {
			t.Fatalf("%q became %q", name, alts)
		}
		for i, p := range alts[0] {
			re := regexp.MustCompile(p)
			if !re.MatchString(parts[i]) || re.MatchString(parts[i]+"x") || re.MatchString("x"+parts[i]) {
				t.Errorf("%q does not match exactly %q", p, parts[i])
			}
		}
	})
}
