package citext

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/measure/ci"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// slower is a comparison of n benchmarks, each slower than the one before.
func slower(n int) *result.Result {
	res := &result.Result{}
	for i := range n {
		ratio := result.Number(1.05 + float64(i)/100)
		c := result.Comparison{
			Pkg: "example.org/m/codec", Name: fmt.Sprintf("B%d/size=1k", i), Procs: 1, Base: "old", Side: "new", Unit: "ns/op", Main: true,
			Verdict: string(stat.Slower), Ratio: ratio, Lo: ratio - 0.01, Hi: ratio + 0.02, Confidence: 0.95, Trusted: true,
		}
		res.Comparisons = append(res.Comparisons, c)
		res.Gates = append(res.Gates, result.Gated{
			Gate: "slower:5%", State: result.GateMissed, Pkg: c.Pkg, Name: c.Name, Procs: 1, Side: c.Side, Unit: c.Unit, Text: c.Name + " is slower",
		})
	}
	return res
}

// TestSummary: an oversized table is cut at a row, and the summary keeps its head and its end.
func TestSummary(t *testing.T) {
	rows := strings.Repeat("| `Benchmark` | 1.05 | **slower** |\n", 5000)
	s := Summary{Result: slower(30), Comparison: "| a | b | c |\n| - | - | - |\n" + rows, Base: strings.Repeat("a", 40), Head: strings.Repeat("b", 40), Why: "the first parent", Selftest: "fit"}
	md := s.Markdown(MaxComment)
	if len(md) > MaxComment || len(md) < MaxComment-500 {
		t.Errorf("%d bytes", len(md))
	}
	for _, want := range []string{"### tare: 30 gates missed\n", "- and 10 more\n", cutNote, "base `aaaaaaa` (the first parent), head `bbbbbbb`", "self-test of this machine"} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q", want)
		}
	}
	for line := range strings.Lines(md) {
		if strings.HasPrefix(line, "| `B") && line != "| `Benchmark` | 1.05 | **slower** |\n" {
			t.Errorf("a row is cut: %q", line)
		}
	}
	failed := Summary{Failed: "the base does not build: a|b *c*"}
	if got := failed.Markdown(MaxComment); !strings.HasPrefix(got, "### tare: failed: the base does not build") {
		t.Errorf("%q", got)
	}
	none := Summary{Result: &result.Result{}}
	if got := none.Markdown(MaxComment); !strings.Contains(got, "nothing was compared") {
		t.Errorf("%q", got)
	}
}

// FuzzCut: a cut text is within its limit, is a beginning of the whole but for what closes it, and leaves nothing open.
func FuzzCut(f *testing.F) {
	f.Add("### x\n\n<details>\n<summary>a</summary>\n\n````\n```\n<details>\n````\n\n</details>\n"+strings.Repeat("| a | b |\n", 100), 600)
	f.Add(strings.Repeat("<details>\n", 40), 500)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if limit < 0 || limit > 1<<16 {
			return
		}
		got := Cut(text, limit)
		if len(got) > limit {
			t.Fatalf("%d bytes, limit %d", len(got), limit)
		}
		if len(text) <= limit && got != text {
			t.Fatal("changed, and fits")
		}
		body, found := strings.CutSuffix(got, cutNote)
		if !found {
			return
		}
		for body != "" && !strings.HasPrefix(text, body) {
			trimmed := strings.TrimSuffix(body, "\n</details>\n")
			if trimmed == body {
				if trimmed = regexp.MustCompile("`{3,}\n$").ReplaceAllString(body, ""); trimmed == body {
					t.Fatalf("%q is no beginning of %q", body, text)
				}
			}
			body = trimmed
		}
		if body != "" && !strings.HasSuffix(body, "\n") {
			t.Fatalf("cut within a line: %q", body)
		}
	})
}

// TestAnnotations: the worst come first, as errors where a gate is missed, at most ten, escaped, at the function.
func TestAnnotations(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"mod/go.mod":             "module example.org/m\n",
		"mod/codec/a_test.go":    "package codec\n\nfunc BenchmarkB1(b *testing.B) {}\n",
		"mod/codec/b,c_test.go":  "package codec\n\n\nfunc BenchmarkB11(b *testing.B) {}\n",
		"mod/codec/other.go":     "package codec\n\nfunc BenchmarkB2(b *testing.B) {}\n",
		"elsewhere/codec/x_test": "",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	res := slower(12)
	res.Gates = res.Gates[10:] // of the last two; the others are warnings
	res.Comparisons[5].Trusted = false
	list := Annotations(res, ci.Sources{Root: dir, Module: filepath.Join(dir, "mod")}.Locate)
	if len(list) != 11 || list[0].Level != "error" || list[1].Level != "error" || list[2].Level != "warning" {
		t.Fatalf("%+v", list)
	}
	if a := list[0]; a.File != "mod/codec/b,c_test.go" || a.Line != 4 {
		t.Errorf("%+v", a)
	}
	if a := list[len(list)-2]; a.File != "mod/codec/a_test.go" || a.Line != 3 || list[3].File != "" {
		t.Errorf("%+v", list)
	}
	var b bytes.Buffer
	if err := WriteCommands(&b, list); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != MaxAnnotations || !strings.HasSuffix(lines[9], "%0A+1 more, see the summary") {
		t.Errorf("%d lines: %s", len(lines), b.String())
	}
	if !strings.HasPrefix(lines[0], "::error file=mod/codec/b%2Cc_test.go,line=4,title=slower%3A B11/size=1k::B11/size=1k ns/op: 1.160 times the base, 95 %25 interval") {
		t.Error(lines[0])
	}
	b.Reset()
	if WriteCommands(&b, []Annotation{{Level: "error", Title: "a\n::set-env name=X::y", Text: "b\r\n::stop-commands::z\x1b[2J"}}); strings.Count(b.String(), "\n") != 1 {
		t.Errorf("a text is a command of its own: %q", b.String())
	}
}

// TestStepSummary: what is in the file already counts, and a full one is left alone.
func TestStepSummary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), 990_000), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &Summary{Result: slower(3), Comparison: strings.Repeat("| row |\n", 200_000)}
	if err := AppendStepSummary(path, s); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Size() > MaxStepSummary || st.Size() < 995_000 {
		t.Error(st.Size(), err)
	}
	if err := AppendStepSummary(path, s); err == nil {
		t.Error("added to a full file")
	}
}

// TestOutputs: a value is one line.
func TestOutputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	o := append(Outputs(&Summary{Result: slower(2), Base: "abc"}), [2]string{"summary", "a\nevil=1\rb"})
	if err := o.AppendTo(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if want := "base=abc\nmissed=2\nslower=2\nfaster=0\nundecided=0\nequivalent=0\nnot_decided=0\nlost=0\nsummary=a evil=1 b\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v", text, err)
	}
}

// TestInterrupted: a run that ended before its first result has a summary.
func TestInterrupted(t *testing.T) {
	if got := (&Summary{}).Markdown(MaxComment); !strings.HasPrefix(got, "### tare: interrupted before anything was measured") {
		t.Errorf("%q", got)
	}
}

// TestResolution: it is of rows that were measured and have an interval.
func TestResolution(t *testing.T) {
	typical, worst, n := Resolution(slower(3))
	if n != 3 || typical <= 0 || worst < typical {
		t.Error(typical, worst, n)
	}
	if _, _, n := Resolution(&result.Result{Comparisons: []result.Comparison{{Main: true, Verdict: string(stat.Identical), Ratio: 1, Lo: 1, Hi: 1}, {Main: true, Ratio: 1, Lo: 0, Hi: 2}}}); n != 0 {
		t.Error(n)
	}
}
