package cli

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
)

func TestShellWords(t *testing.T) {
	for line, want := range map[string][]string{
		``:                              nil,
		"  \t\n":                        nil,
		`a b  c`:                        {"a", "b", "c"},
		`./sort 'two words' x"y z"w`:    {"./sort", "two words", "xy zw"},
		`'' ""`:                         {"", ""},
		`a\ b \\ \'`:                    {"a b", `\`, `'`},
		`"\"\$\\\x"`:                    {`"$\\x`},
		`'$HOME; * \ "'`:                {`$HOME; * \ "`},
		"a\\\nb \"c\\\nd\"":             {"ab", "cd"},
		`a#b a~b`:                       {"a#b", "a~b"},
		`--x=~/y`:                       {"--x=~/y"},
		"grüße '日本'":                    {"grüße", "日本"},
		`{a,b} a=b ! ] -- 'it'\''s ok'`: {"{a,b}", "a=b", "!", "]", "--", "it's ok"},
	} {
		got, err := shellWords(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", line, got, err, want)
		}
	}
	for _, line := range []string{`a 'b`, `a "b`, `a\`, `a | b`, `a;b`, `$x`, `"$x"`, "`a`", "\"`a`\"", `*.go`, `a > b`, `a & b`, `(a)`, `~/x`, `a #b`, `x[1]`, `"a\`} {
		if got, err := shellWords(line); err == nil {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// FuzzShellWords: what joinWords writes is read again, by us and by the shell.
func FuzzShellWords(f *testing.F) {
	for _, s := range []string{"a b", "it's", "$x\x00`*", "\n\\", "", "\x00", "~#\r"} {
		f.Add(s, "-c")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		got, err := shellWords(joinWords([]string{a, b}))
		if err != nil || !slices.Equal(got, []string{a, b}) {
			t.Errorf("%q, %q: %q, %v", a, b, got, err)
		}
		if words, err := shellWords(a); err == nil { // any line that is one
			again, err := shellWords(joinWords(words))
			if err != nil || !slices.Equal(again, words) {
				t.Errorf("%q: %q, then %q, %v", a, words, again, err)
			}
		}
	})
}

// TestShellAgrees: sh splits as we do.
func TestShellAgrees(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, line := range []string{`a 'b c' "d \" e" f\ g '' h`, `x"y"'z' -- "a\b"`, joinWords([]string{"it's", "$HOME", "a\nb", `\`, "*", ""})} {
		out, err := exec.Command(sh, "-c", `printf '<%s>\n' `+line).Output()
		if err != nil {
			t.Fatal(err)
		}
		words, err := shellWords(line)
		if want := "<" + strings.Join(words, ">\n<") + ">\n"; err != nil || string(out) != want {
			t.Errorf("%s: sh reads %q, we %q, %v", line, out, want, err)
		}
	}
}

func TestNameSides(t *testing.T) {
	long := strings.Repeat("x", 50)
	for _, c := range []struct{ lines, want []string }{
		{[]string{"./sort-par 100"}, []string{"sort-par"}},
		{[]string{"/a/sort-par 100", "b/sort-seq 100"}, []string{"sort-par", "sort-seq"}},
		{[]string{"sort -p", "sort -s"}, []string{"sort -p", "sort -s"}},
		{[]string{"old/sort", "new/sort"}, []string{"old/sort", "new/sort"}},
		{[]string{"sleep 1", "sleep 1"}, []string{"sleep 1", "sleep 1 (2)"}},
		{[]string{"A=1 ./x", "y"}, []string{"x", "y"}},
		{[]string{"A=1 ./x", "./x"}, []string{"A=1 ./x", "./x"}},
		{[]string{"ls | wc", "wc"}, []string{"ls | wc", "wc"}},
		{[]string{"a " + long + "1", "a " + long + "2"}, []string{"a " + long[:37] + "…", "a " + long[:37] + "… (2)"}},
	} {
		var ps []*program
		for _, l := range c.lines {
			ps = append(ps, &program{line: l})
		}
		nameSides(ps)
		for i, p := range ps {
			if p.name != c.want[i] {
				t.Errorf("%q: %q, want %q", c.lines, p.name, c.want[i])
			}
		}
	}
}

// timed is the record of two commands; each run of real has a run of vs beside it.
func timed(confidence float64, real, vs []float64) *result.Builder {
	b := result.NewBuilder()
	b.Add(&record.Run{
		Version: record.Version, Command: []string{"tare", "time", "--vs", "./sort-seq 100", "--", "./sort-par", "100"}, Seed: 0x7f3a,
		Config: record.Config{Forks: len(real), Iterations: 1, Benchtime: "1x", Order: "interleaved", Threshold: 0.03, Correction: "none", Confidence: confidence},
		Env:    record.Env{OS: "linux", Arch: "amd64", CPU: "AMD EPYC", Cores: 12, GOMAXPROCS: 12},
		Sides:  []record.Side{{Name: "sort-seq", Ref: "./sort-seq 100"}, {Name: "sort-par", Ref: "./sort-par 100"}},
	})
	for i, side := range []string{"sort-par", "sort-seq"} {
		b.Add(&record.Case{ID: i + 1, Name: commandName, Side: side, Mode: record.ModeN, N: 1, Shot: true, Units: timeUnits()})
	}
	b.Add(&record.Tare{Clock: 22, Loop: 0.3, Load: 0.9})
	for i := range real {
		for c, ms := range []float64{real[i], vs[i]} {
			f := &record.Fork{
				ID: 2*i + c + 1, Case: c + 1, Round: i + 1, Purpose: record.PurposeTiming, State: record.StateOK,
				Wall: int64(ms * 1e6), User: int64(ms*1e6) * int64(11-10*c), Sys: int64(c) * 1e6, Peak: int64(2-c) << 30, Minflt: int64(100000 * (c + 1)), Vcsw: int64(7 + i%3), Ivcsw: 12,
			}
			b.Add(sampleOf(f, spawn.Result{End: f.Wall}))
			b.Add(f)
		}
	}
	b.Add(&record.Tare{Probe: 1.2e6})
	b.Add(&record.End{State: record.EndCompleted})
	return b
}

func shown(t *testing.T, b *result.Builder, o render.Options) string {
	t.Helper()
	var out strings.Builder
	if err := writeTimes(&out, render.Text, b.Result(), o); err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(out.String()) {
		if n := runes(strings.TrimRight(l, "\n")); n > 100 {
			t.Errorf("%d columns: %s", n, l)
		}
		if strings.TrimRight(l, " \n")+"\n" != l {
			t.Errorf("blanks at the end of %q", l)
		}
	}
	return out.String()
}

var (
	fast = []float64{863, 871, 860, 865, 858, 880, 862, 864, 867, 861}
	slow = []float64{6841, 6850, 6839, 6845, 6900, 6838, 6842, 6844, 6850, 6835}
)

func TestWriteTimes(t *testing.T) {
	for name, c := range map[string]struct {
		b    *result.Builder
		o    render.Options
		want string
	}{
		"usual":   {timed(0.95, fast, slow), render.Options{UTF8: true}, usualTimes},
		"few":     {timed(0.95, fast[:3], slow[:3]), render.Options{}, fewTimes},
		"verbose": {timed(0.95, fast, slow), render.Options{UTF8: true, Verbose: true}, verboseTimes},
	} {
		if got := shown(t, c.b, c.o); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
	brief := []float64{2, 2.1, 2.2, 2.3, 2.4, 2.5}
	for l := range strings.Lines(shown(t, timed(0.95, brief, brief), render.Options{UTF8: true, Width: 80})) {
		if strings.Contains(l, "kernel's tick") && runes(l) > 80 {
			t.Errorf("wider than 80: %s", l)
		}
	}
}
