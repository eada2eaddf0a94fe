package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/cli"
)

// goldenRecord returns a record that an earlier version wrote.
func goldenRecord(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "golden", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run runs the command in this process and returns its exit code and what it wrote.
func run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, messages bytes.Buffer
	code = cli.Main(cli.Config{}, args, strings.NewReader(stdin), &out, &messages)
	return code, out.String(), messages.String()
}

// TestTwoRuns: runs that are in one file stay separate, and a copy of a run does not count.
func TestTwoRuns(t *testing.T) {
	a, b := goldenRecord(t, "bench"), goldenRecord(t, "bench-two")
	for _, format := range []string{"json", "csv"} {
		_, first, _ := run(a, "report", "--format", format, "-")
		_, second, _ := run(b, "report", "--format", format, "-")
		code, both, messages := run(a+b, "report", "--format", format, "-")
		want := withRecord(t, format, first, "standard input, run 1 of 2", second, "standard input, run 2 of 2")
		if code != 0 || both != want {
			t.Errorf("%s: exit %d, %s\n%s\nwant\n%s", format, code, messages, both, want)
		}
		code, copies, messages := run(a+b+a, "report", "--format", format, "-")
		copies = strings.ReplaceAll(copies, " of 3", " of 2")
		if code != 0 || copies != both || !strings.Contains(messages, "run 3 is a copy of run 1") {
			t.Errorf("%s, with a copy: exit %d, %s\n%s", format, code, messages, copies)
		}
	}
	_, text, _ := run(a+b, "report", "-")
	if !strings.Contains(text, "run 1 of 2") || !strings.Contains(text, "run 2 of 2") {
		t.Errorf("the text does not name the runs:\n%s", text)
	}
	_, text, _ = run(a+b, "report", "--format", "benchfmt", "-")
	if !strings.Contains(text, "run: 1\n") || !strings.Contains(text, "run: 2\n") {
		t.Errorf("the benchmark text has no key for the runs:\n%s", text)
	}
	if code, _, messages := run(a+b, "report", "--format", "jmh", "-"); code == 0 {
		t.Errorf("jmh: exit %d, %s", code, messages)
	}
}

// TestRefusedOutput: a file stays as it is if a format does not have what a record holds.
func TestRefusedOutput(t *testing.T) {
	dir := t.TempDir()
	record, old := filepath.Join(dir, "load.jsonl"), filepath.Join(dir, "old.xml")
	for path, text := range map[string]string{record: goldenRecord(t, "load"), old: "precious"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, _, messages := run("", "report", "-o", filepath.Join(dir, "new.txt"), "-o", old, record)
	if text, _ := os.ReadFile(old); code == 0 || string(text) != "precious" {
		t.Errorf("exit %d, %q in the file: %s", code, text, messages)
	}
}

// TestManyCopies: copies of a run are named as long as they are few.
func TestManyCopies(t *testing.T) {
	a := goldenRecord(t, "bench")
	code, _, messages := run(strings.Repeat(a, 9), "report", "--format", "csv", "-")
	if code != 0 || strings.Count(messages, "is a copy of run 1") != 3 || !strings.Contains(messages, "5 more runs are copies") {
		t.Errorf("exit %d, %s", code, messages)
	}
}

// withRecord returns the reports of two records as one, with their names.
func withRecord(t *testing.T, format, first, firstName, second, secondName string) string {
	t.Helper()
	if format == "json" {
		named := func(text, name string) string {
			return "{\n  \"record\": \"" + name + "\"," + strings.TrimPrefix(text, "{")
		}
		return named(first, firstName) + named(second, secondName)
	}
	var out strings.Builder
	for i, table := range []string{first, second} {
		name := `"` + []string{firstName, secondName}[i] + `"`
		for n, line := range strings.SplitAfter(strings.TrimSuffix(table, "\n"), "\n") {
			switch {
			case n == 0 && i == 0:
				out.WriteString("record," + line)
			case n > 0:
				out.WriteString(name + "," + line)
			}
		}
		out.WriteString("\n")
	}
	return out.String()
}

// TestTwoFiles: JSON of several files says of which one each object is. CSV tables of several
// files follow each other, as they always did.
func TestTwoFiles(t *testing.T) {
	one, load := filepath.Join("testdata", "golden", "bench.jsonl"), filepath.Join("testdata", "golden", "load.jsonl")
	_, first, _ := run("", "report", "--format", "csv", one)
	_, second, _ := run("", "report", "--format", "csv", load)
	if code, out, messages := run("", "report", "--format", "csv", one, load); code != 0 || out != first+second {
		t.Errorf("exit %d, %s\n%s", code, messages, out)
	}
	_, out, _ := run("", "report", "--format", "json", one, load)
	d := json.NewDecoder(strings.NewReader(out))
	for _, want := range []string{one, load} {
		var r struct{ Record string }
		if err := d.Decode(&r); err != nil || r.Record != want {
			t.Errorf("%v, %q, want %q", err, r.Record, want)
		}
	}
}

// TestRunsOfOtherKinds: runs of one file that have other columns have a table of their own.
func TestRunsOfOtherKinds(t *testing.T) {
	code, out, messages := run(goldenRecord(t, "bench")+goldenRecord(t, "load"), "report", "--format", "csv", "-")
	if code != 0 || strings.Count(out, "record,") != 2 || strings.Count(out, "\n\n") != 1 {
		t.Errorf("exit %d, %s\n%s", code, messages, out)
	}
	for _, row := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		if row != "" && !strings.HasPrefix(row, "record,") && !strings.HasPrefix(row, `"standard input, run `) {
			t.Errorf("no record in %q", row)
		}
	}
}

// TestTwoRunsCut: of a run that is in a file twice, once cut off, the longer one counts.
func TestTwoRunsCut(t *testing.T) {
	whole := goldenRecord(t, "bench")
	lines := strings.SplitAfter(whole, "\n")
	part := strings.Join(lines[:len(lines)/2], "")
	_, want, _ := run(whole, "report", "--format", "json", "-")
	for _, in := range []string{part + whole, whole + part} {
		if code, got, messages := run(in, "report", "--format", "json", "-"); code != 0 || got != want {
			t.Errorf("exit %d, %s\n%s", code, messages, got)
		}
	}
}

// TestRepeatedForks: lines that are in a record twice, without a second run line, count once.
func TestRepeatedForks(t *testing.T) {
	a := goldenRecord(t, "bench")
	_, rest, _ := strings.Cut(a, "\n")
	results := func(text string) string {
		var r struct{ Results, Comparisons, Latencies json.RawMessage }
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err, text)
		}
		return string(r.Results) + string(r.Comparisons) + string(r.Latencies)
	}
	_, want, _ := run(a, "report", "--format", "json", "-")
	code, got, messages := run(a+rest, "report", "--format", "json", "-")
	if code != 0 || results(got) != results(want) {
		t.Errorf("exit %d, %s\n%s\nwant\n%s", code, messages, got, want)
	}
	if !strings.Contains(got, "repeated-forks") {
		t.Errorf("nothing says that forks are repeated:\n%s", got)
	}
}

// TestTwoRunsRefused: verbs that show one run refuse a file of two, and say where the second begins.
func TestTwoRunsRefused(t *testing.T) {
	one := filepath.Join("testdata", "golden", "bench.jsonl")
	for _, c := range []struct {
		records []string
		args    []string
	}{
		{[]string{"bench", "bench-two"}, []string{"compare", one}},
		{[]string{"bench", "bench-two"}, []string{"bench", "--resume"}},
		{[]string{"asm", "bench-asm"}, []string{"asm"}},
		{[]string{"trace", "trace-count"}, []string{"trace"}},
		{[]string{"sample", "sample-cpu"}, []string{"sample"}},
		{[]string{"contrast", "contrast"}, []string{"contrast"}},
		{[]string{"selftest", "bench"}, []string{"selftest", "--show"}},
		{[]string{"load", "load-search"}, []string{"hist"}},
		{[]string{"bench-latency", "load"}, []string{"hist", "convert", "--format", "csv"}},
	} {
		file := filepath.Join(t.TempDir(), "both.jsonl")
		var text string
		for _, r := range c.records {
			text += goldenRecord(t, r)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		code, out, messages := run("", append(c.args, file)...)
		if code == 0 || !strings.Contains(messages, "a second run begins") {
			t.Errorf("%q: exit %d, %s%s", c.args, code, out, messages)
		}
		if now, _ := os.ReadFile(file); string(now) != text {
			t.Errorf("%q: the file was changed", c.args)
		}
	}
}

// TestCompareCopies: a record that is compared with a copy of itself is named.
func TestCompareCopies(t *testing.T) {
	one, copied := filepath.Join("testdata", "golden", "bench.jsonl"), filepath.Join(t.TempDir(), "copy.jsonl")
	if err := os.WriteFile(copied, []byte(goldenRecord(t, "bench")), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, out, messages := run("", "compare", one, copied); !strings.Contains(out, "old and new are records of one run") {
		t.Errorf("%s%s", out, messages)
	}
}

// TestCopyOfOne: the copy of a record is of one record.
func TestCopyOfOne(t *testing.T) {
	one := filepath.Join("testdata", "golden", "asm.jsonl")
	for _, copied := range [][]string{{"--format", "jsonl"}, {"-o", filepath.Join(t.TempDir(), "both.jsonl")}} {
		if code, out, messages := run("", append([]string{"asm", one, one}, copied...)...); code != 2 || out != "" || !strings.Contains(messages, "a copy of one record, and there are 2") {
			t.Errorf("%q: exit %d, %.200s%s", copied, code, out, messages)
		}
	}
}

// TestHistJSONCharacters: characters of several bytes stay whole in a long text.
func TestHistJSONCharacters(t *testing.T) {
	code, log, messages := run(goldenRecord(t, "load"), "hist", "convert", "--format", "hlog", "-")
	if code != 0 {
		t.Fatal(messages)
	}
	for shift := range 3 {
		tag := strings.Repeat("x", shift) + strings.Repeat("語", 3000)
		tagged := strings.ReplaceAll(log, "Tag=", "Tag="+tag)
		if tagged == log {
			t.Fatal("the log has no tags")
		}
		code, out, messages := run(tagged, "hist", "convert", "--format", "json", "-")
		if code != 0 || strings.Contains(out, `\ufffd`) || !strings.Contains(out, tag) {
			t.Errorf("exit %d, %s, %d characters are broken", code, messages, strings.Count(out, `\ufffd`))
		}
	}
}

// TestFailedSide: a side whose benchmarks all failed has lost them. Without a gate, too, the message says so.
func TestFailedSide(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := `{"k":"case","id":1,"pkg":"","name":"Command","bin":1,"procs":0,"mode":"N","n":1,"shot":true}
{"k":"sample","fork":1,"iter":1,"phase":"measure","ops":1,"v":{"real":1000}}
{"k":"fork","id":1,"case":1,"bin":1,"round":1,"purpose":"timing","state":"ok"}
{"k":"end","state":"completed"}
`
	failed := strings.Replace(lines, `"state":"ok"`, `"state":"failed","why":"ended with status 3"`, 1)
	for name, text := range map[string]string{"old.jsonl": lines, "new.jsonl": failed} {
		if err := os.WriteFile(name, []byte(`{"k":"run","v":1,"kind":"time"}`+"\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for gate, want := range map[string]int{"": 1, "--gate=slower:5%": 4} {
		args := []string{"compare", "--no-config", "old.jsonl", "new.jsonl"}
		if gate != "" {
			args = append(args, gate)
		}
		if code, _, messages := run("", args...); code != want || !strings.Contains(messages, "lost: Command: failed on new: ended with status 3") {
			t.Errorf("%q: exit %d, want %d: %s", gate, code, want, messages)
		}
	}
}

// TestDamagedHistograms: a record of which a histogram cannot be read is shown, and is an error.
func TestDamagedHistograms(t *testing.T) {
	for _, name := range []string{"bench-latency", "load"} {
		text := strings.Replace(goldenRecord(t, name), `"data":"HIST`, `"data":"HISX`, -1)
		code, out, messages := run(text, "report", "-")
		if code != 1 || out == "" || !strings.Contains(messages, "histograms could not be read") {
			t.Errorf("%s: exit %d, %.200s, %s", name, code, out, messages)
		}
	}
}
