package machinetext

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/cli"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/runs"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// three returns a record of three "machines", which were one: of two benchmarks the change is the same on all, of one it
// depends on a variable that was set in another way for each.
func three(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "three.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// six returns them and copies of them under other names, which began a year later.
func six(t *testing.T) string {
	later := strings.NewReplacer(`"machine":"machine-`, `"machine":"other-`, `"start":"2026`, `"start":"2027`)
	return three(t) + later.Replace(three(t))
}

// hostile returns them with a machine, a benchmark and a revision whose names would move the cursor or begin a tag.
func hostile(t *testing.T) string {
	return strings.NewReplacer(`machine-b`, `b\u001b[31m<b>|`, `"name":"Alloc"`, `"name":"Al\u0000loc|<i>"`, `"Faster"`, `"`+strings.Repeat("Faster", 30)+`"`).Replace(three(t))
}

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name string
		text string
		f    render.Format
		o    page.Options
	}{
		{"three.txt", three(t), render.Text, page.Options{Width: 120, UTF8: true}},
		{"three.60.txt", three(t), render.Text, page.Options{Width: 60}},
		{"three.verbose.txt", three(t), render.Text, page.Options{Width: 120, UTF8: true, Verbose: true}},
		{"three.md", three(t), render.Markdown, page.Options{}},
		{"three.json", three(t), render.JSON, page.Options{}},
		{"six.txt", six(t), render.Text, page.Options{Width: 120, UTF8: true}},
		{"hostile.txt", hostile(t), render.Text, page.Options{Width: 100, UTF8: true}},
		{"hostile.md", hostile(t), render.Markdown, page.Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			instead, err := Report(&b, c.f, "all.jsonl", runs.Read(strings.NewReader(c.text), "all.jsonl"), result.Judgement{}, c.o)
			if err != nil || instead != (c.f != render.JSON && !c.o.Verbose) {
				t.Errorf("instead of the runs: %v, %v", instead, err)
			}
			path := filepath.Join("testdata", c.name+".golden")
			if *update {
				if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%v, got\n%s\nwant\n%s", err, &b, want)
			}
		})
	}
}

// tare runs the command as cmd/tare-full has it.
func tare(stdin string, args ...string) (code int, stdout, stderr string) {
	os.Unsetenv("GITHUB_ACTIONS") // what is printed outside of a job is compared, also if the test runs in one
	var out, messages bytes.Buffer
	code = cli.Main(cli.Config{Machines: Report}, args, strings.NewReader(stdin), &out, &messages)
	return code, out.String(), messages.String()
}

// TestReport: the combination stands instead of the runs, -v shows both, and the threshold of the command line counts.
func TestReport(t *testing.T) {
	code, text, messages := tare(three(t), "report", "-")
	if code != 0 || messages != "" || !strings.HasPrefix(text, "3 machines, combined") || strings.Contains(text, "run 1 of 3") {
		t.Errorf("exit %d, %s\n%s", code, messages, text)
	}
	code, text, _ = tare(three(t), "report", "-v", "-")
	if code != 0 || strings.Count(text, "3 machines, combined") != 1 || !strings.Contains(text, "run 3 of 3") {
		t.Errorf("-v: exit %d\n%s", code, text)
	}
	code, text, _ = tare(three(t), "report", "--format", "csv", "-")
	if code != 0 || !strings.Contains(text, "run 3 of 3") {
		t.Errorf("csv: exit %d\n%s", code, text)
	}
}

// TestReportJSON: the combination is the first of the objects, each of which says of which record it is.
func TestReportJSON(t *testing.T) {
	code, text, messages := tare(three(t), "report", "--format", "json", "-")
	var names []string
	for d := json.NewDecoder(strings.NewReader(text)); d.More(); {
		var x struct {
			Record   string
			Machines *struct{ Machines []struct{ Name string } }
		}
		if err := d.Decode(&x); err != nil {
			t.Fatal(err)
		}
		if names = append(names, x.Record); (x.Machines != nil) != (len(names) == 1) {
			t.Errorf("object %d: %+v", len(names), x)
		}
	}
	if code != 0 || strings.Join(names, "; ") != "standard input; standard input, run 1 of 3; standard input, run 2 of 3; standard input, run 3 of 3" {
		t.Errorf("exit %d, %s, %q", code, messages, names)
	}
}

// TestRefused: runs that cannot be combined are shown one by one, and why is an error.
func TestRefused(t *testing.T) {
	text := strings.Replace(three(t), `"revision":"7f47f2a`, `"revision":"1111111`, 1)
	code, out, messages := tare(text, "report", "-")
	if code != 1 || !strings.Contains(messages, "side new: the revision is 1111111") || !strings.Contains(messages, "7f47f2a193c743e760ebd5f5322c406b5cf675a3 on machine-b") || !strings.Contains(out, "run 3 of 3") {
		t.Errorf("exit %d, %s\n%s", code, messages, out)
	}
}

// TestCutOff: what was measured until a run was cut off is combined, and it is said of which machine.
func TestCutOff(t *testing.T) {
	text := three(t)
	end := strings.LastIndex(strings.TrimSpace(text), "\n")
	code, out, messages := tare(text[:end+1], "report", "-")
	if code != 0 || !strings.Contains(out, "machine-c: its run did not end") || !strings.Contains(messages, "run 3 of 3: the run was cut off") {
		t.Errorf("exit %d, %s\n%s", code, messages, out)
	}
}

// TestReportPage: a page has the combination above the runs; runs that are refused are shown, and why is an error.
func TestReportPage(t *testing.T) {
	page := func(text string) (code int, html, messages string) {
		path := filepath.Join(t.TempDir(), "x.html")
		code, _, messages = tare(text, "report", "-o", path, "-")
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return code, string(b), messages
	}
	code, html, messages := page(three(t))
	together, first := strings.Index(html, "machines combined"), strings.Index(html, "run 1 of 3")
	if code != 0 || together < 0 || first < together || !strings.Contains(html, "3 machines, combined") {
		t.Errorf("exit %d, %s: at %d and %d", code, messages, together, first)
	}
	code, html, messages = page(strings.Replace(three(t), `"revision":"7f47f2a`, `"revision":"1111111`, 1))
	if code != 1 || !strings.Contains(messages, "1111111") || !strings.Contains(html, "run 3 of 3") || strings.Contains(html, "machines combined") {
		t.Errorf("refused: exit %d, %s", code, messages)
	}
}
