package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/exit"
)

// TestPageInput: what is no record, or no whole one, has one line that names it, and no page takes the place of one
// that is there.
func TestPageInput(t *testing.T) {
	dir := t.TempDir()
	whole, err := os.ReadFile("testdata/golden/bench.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "ours.html")
	if code := Main(Config{}, []string{"report", "-o", page, "testdata/golden/bench.jsonl"}, strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}); code != exit.Done {
		t.Fatal(code)
	}
	ours, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.LastIndex(ours, []byte(`">`)) + 50
	edited := bytes.Clone(ours)
	edited[data] ^= 1
	for _, c := range []struct {
		name, content, want string
		shown               bool
	}{
		{"empty.jsonl", "", "not a record file", false},
		{"text.jsonl", "goos: linux\n", "not a record file", false},
		{"later.jsonl", strings.Replace(string(whole), `"v":1`, `"v":99`, 1), "version 99", false},
		{"cut.jsonl", string(whole[:len(whole)*2/3]), "cut off", true},
		{"first.jsonl", string(whole[:40]), "", false},
		{"others.html", "<!DOCTYPE html><html><body>a page</body></html>", "no record is in this page", false},
		{"edited.html", string(edited), "edited or cut off", false},
		{"half.html", string(ours[:data]), "edited or cut off", false},
		{"nothing.html", "<!DOCTYPE html>", "no record is in this page", false},
	} {
		in, out := filepath.Join(dir, c.name), filepath.Join(dir, c.name+".out.html")
		if err := os.WriteFile(in, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(out, []byte("there"), 0o600); err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		code := Main(Config{}, []string{"report", "-o", out, in}, strings.NewReader(""), &bytes.Buffer{}, &errs)
		lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
		if !strings.Contains(lines[0], c.want) || !strings.Contains(lines[0], c.name) || len(lines) > 2 || len(lines) == 2 && !strings.HasPrefix(lines[1], "tare: hint: ") {
			t.Errorf("%s: want %q: %s", c.name, c.want, &errs)
		}
		got, err := os.ReadFile(out)
		if err != nil || c.shown == (string(got) == "there") || c.shown != (code == exit.Done) {
			t.Errorf("%s: exit code %d, %v, and the file has %d bytes", c.name, code, err, len(got))
		}
	}
}

// TestPageCompares: a page of several records of benchmarks begins with what became of them against the first.
func TestPageCompares(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  bool
	}{
		{[]string{"bench", "bench-two"}, true},
		{[]string{"bench", "bench"}, true},
		{[]string{"bench-sides", "bench"}, false},
		{[]string{"bench", "load"}, false},
	} {
		args := []string{"report", "--format", "html"}
		for _, f := range c.files {
			args = append(args, "testdata/golden/"+f+".jsonl")
		}
		var out, errs bytes.Buffer
		if code := Main(Config{}, args, strings.NewReader(""), &out, &errs); code > 1 {
			t.Errorf("%s: exit code %d, %s", c.files, code, &errs)
		}
		if got := strings.Contains(out.String(), `<h2 class="run">Comparison</h2>`); got != c.want {
			t.Errorf("%s: compared: %v", c.files, got)
		}
		for i, f := range c.files {
			if n := strings.Count(out.String(), fmt.Sprintf(`<h2 class="run">testdata/golden/%s.jsonl</h2>`, f)); n == 0 {
				t.Errorf("%s: run %d is not there", c.files, i+1)
			}
		}
	}
}
