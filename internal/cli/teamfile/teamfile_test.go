package teamfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/result/benchtext"
	"github.com/tarebench/tare/internal/result/gate"
	"github.com/tarebench/tare/record"
)

const sample = `
packages   = ["./..."]
benchmarks = "Encode|Decode"   # as --bench
forks      = 30
threshold  = 0.02
confidence = "99%"
gates      = ["slower:5%", 'more:0%@-.name:/Pool/']

[[bench]]
match     = ".name:/Net/"
threshold = "10%"
gate      = "slower:20%"

[[bench]]
match = ".name:/Noise/"
gate  = "none"

[ci]
forks = 40
against = "main"

[history]
store = "ref"
`

// TestParse: keys are read in each of their forms.
func TestParse(t *testing.T) {
	f, err := Parse(sample, "tare.toml")
	if err != nil {
		t.Fatal(err)
	}
	ci := f.Tables[TableCI].Values
	if f.Values["forks"] != "30" || ci["forks"] != "40" || ci["against"] != "main" || f.Values["threshold"] != "0.02" || f.Tables[TableHistory].Values["store"] != "ref" || len(f.Bench) != 2 || f.Packages[0] != "./..." {
		t.Errorf("%+v", f)
	}
}

// TestDocumented: the file in docs/ci.md is one.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(string(text), "```toml\n")
	block, _, _ = strings.Cut(block, "```")
	f, err := Parse(block, "docs/ci.md")
	if err != nil || !ok || f.Tables[TableCI].Values["budget"] != "15m" {
		t.Error(f, err)
	}
}

// TestWrong: what is wrong is said with its line, and what may have been meant.
func TestWrong(t *testing.T) {
	for text, want := range map[string]string{
		"fork = 3":                                  "tare.toml:1: there is no setting fork",
		"[ci]\nbase = \"main\"":                     "tare.toml:2: there is no setting ci.base",
		"\n\n[ci]\nbasis = \"x\"":                   "tare.toml:4: there is no setting ci.basis",
		"[cli]\nbase = 1":                           "tare.toml:1: there is no setting cli",
		"forks = [":                                 "tare.toml:1: ",
		"[ci]\nlost = \"x\"":                        `tare.toml: [ci] lost = "x" is neither fail nor pass`,
		"[ci]\nlost = 1":                            `[ci] lost = "1" is neither`,
		"lost = \"fail\"":                           "tare.toml:1: there is no setting lost",
		"forks = true":                              "tare.toml: forks is neither a text nor a number",
		"gates = \"slower:5%\"":                     "tare.toml:1: gates has a value of the wrong kind",
		"ci = 3":                                    "tare.toml:1: ci has a value of the wrong kind",
		"[[bench]]\nmatch = \".name:x\"":            "[[bench]] 1 has neither a threshold nor a gate",
		"[[bench]]\ngate = \"slower:5%\"":           "[[bench]] 1 has no match",
		"[[bench]]\nmatch = \"(\"\ngate=\"none\"":   "[[bench]] 1: match",
		"[[bench]]\nmatch = \"*\"\ngate=\"a@b\"":    "has a filter beside match",
		"[[bench]]\nmatch = \"*\"\nthreshold=\"x\"": "threshold: ",
		"[[bench]]\nmatch = \"*\"\nmach = \"*\"":    "tare.toml:3: there is no setting bench.mach",
	} {
		if _, err := Parse(text, "tare.toml"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzParse: whatever a file holds, it is read or refused.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("a.b.c = 1\n[x]\n\"y\" = {z = 1}")
	f.Fuzz(func(t *testing.T, text string) {
		if x, err := Parse(text, "tare.toml"); err == nil {
			x.Thresholds()
			x.settings(nil, TableCI)
		}
	})
}

// flagSet has the flags of a verb.
func flagSet() *pflag.FlagSet {
	fl := pflag.NewFlagSet("bench", pflag.ContinueOnError)
	fl.String("bench", ".", "")
	fl.Int("forks", 20, "")
	fl.String("threshold", "3%", "")
	fl.String("precision", "", "")
	fl.Bool("quick", false, "")
	fl.StringArray("gate", nil, "")
	fl.String("against", "", "")
	return fl
}

// TestApply: a flag counts before the environment, that before the file, and a table before the settings for all.
func TestApply(t *testing.T) {
	f, err := Parse(sample, "tare.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, table string
		args        []string
		env         map[string]string
		want        string
	}{
		{"file", "", nil, nil, "bench=Encode|Decode@tare.toml forks=30@tare.toml precision=@default threshold=0.02@tare.toml"},
		{"table", TableCI, nil, nil, "bench=Encode|Decode@tare.toml forks=40@tare.toml [ci] precision=@default threshold=0.02@tare.toml against=main@tare.toml [ci]"},
		{"environment", TableCI, nil, map[string]string{"TARE_FORKS": "7"}, "bench=Encode|Decode@tare.toml forks=7@TARE_FORKS precision=@default threshold=0.02@tare.toml against=main@tare.toml [ci]"},
		{"flag", "", []string{"--forks", "5"}, map[string]string{"TARE_FORKS": "7"}, "bench=Encode|Decode@tare.toml forks=5@flag precision=@default threshold=0.02@tare.toml"},
		{"a flag that overrules it", "", []string{"--precision", "1%"}, map[string]string{"TARE_FORKS": "7"}, "bench=Encode|Decode@tare.toml forks=20@default precision=1%@flag threshold=0.02@tare.toml"},
		{"another flag that says it", "", []string{"--quick"}, map[string]string{"TARE_FORKS": "7"}, "bench=Encode|Decode@tare.toml forks=20@default precision=@default threshold=0.02@tare.toml"},
	} {
		fl := flagSet()
		if err := fl.Parse(c.args); err != nil {
			t.Fatal(err)
		}
		origins, err := f.Apply(fl, c.table, func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range origins {
			if o.Flag != "gate" {
				got = append(got, o.Flag+"="+o.Value+"@"+o.From)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, strings.Join(got, " "), c.want)
		}
	}
	bad, _ := Parse("forks = \"many\"", "tare.toml")
	if _, err := bad.Apply(flagSet(), "", func(string) (string, bool) { return "", false }, nil); err == nil || !strings.Contains(err.Error(), `tare.toml: --forks "many"`) {
		t.Error(err)
	}
	if origins, err := (*File)(nil).Apply(flagSet(), "", func(string) (string, bool) { return "", false }, nil); err != nil || len(origins) == 0 {
		t.Error(origins, err)
	}
}

// TestGates: a gate of a [[bench]] takes the place of those of its kind for what it matches, and of no other.
func TestGates(t *testing.T) {
	f, err := Parse(sample, "tare.toml")
	if err != nil {
		t.Fatal(err)
	}
	fl := flagSet()
	if _, err := f.Apply(fl, "", func(string) (string, bool) { return "", false }, nil); err != nil {
		t.Fatal(err)
	}
	texts, err := fl.GetStringArray("gate")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gate.Parse(texts); err != nil {
		t.Fatal(texts, err)
	}
	for name, want := range map[string]string{"Encode": "slower:5% more:0%", "PoolGet": "slower:5%", "NetRead": "more:0% slower:20%", "Noise": ""} {
		var got []string
		for _, text := range texts {
			spec, expr, _ := strings.Cut(text, "@")
			filter, err := benchtext.NewFilter(expr)
			if err != nil {
				t.Fatal(text, err)
			}
			if ok, err := filter.Match(&record.Case{Name: name, Procs: 1}, nil); err != nil {
				t.Fatal(text, err)
			} else if ok {
				got = append(got, spec)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q; gates %q", name, got, want, texts)
		}
	}
}

// TestThresholds: the first [[bench]] that matches counts.
func TestThresholds(t *testing.T) {
	f, err := Parse(strings.Replace(sample, "[ci]", "[[bench]]\nmatch = '*'\nthreshold = 0.5\n[ci]", 1), "tare.toml")
	if err != nil {
		t.Fatal(err)
	}
	of := f.Thresholds()
	if a, b := of(&record.Case{Name: "NetRead", Procs: 1}), of(&record.Case{Name: "X", Procs: 1}); a != 0.1 || b != 0.5 {
		t.Error(a, b)
	}
	if (*File)(nil).Thresholds() != nil {
		t.Error("no file has thresholds")
	}
}

// TestFind: the file lies beside the nearest go.mod.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "nested", "deep")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(inner, "x.go"), "package x")
	write(filepath.Join(dir, "go.mod"), "module m")
	write(filepath.Join(dir, Name), "forks = 3\npackages = [\"./a\"]")
	f, err := Find(inner)
	if err != nil || f == nil || f.Values["forks"] != "3" || f.PackagesIn(inner, "") != nil || !slices.Equal(f.PackagesIn(dir, ""), []string{"./a"}) {
		t.Fatal(f, err)
	}
	write(filepath.Join(dir, "nested", "go.mod"), "module n")
	if f, err := Find(inner); f != nil || err != nil {
		t.Error(f, err)
	}
	write(filepath.Join(dir, "nested", Name), strings.Repeat("# long\n", 200_000))
	if _, err := Find(inner); err == nil {
		t.Error("a file of 1.4 MB is read")
	}
}
