package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPages: the record of every kind has a page, with its records inside and nothing else that a browser would run
// or load.
func TestPages(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.jsonl")
	if err != nil || len(files) < 20 {
		t.Fatal(len(files), err)
	}
	report := func(format, file string) string {
		var out, errs bytes.Buffer
		if code := Main(Config{}, []string{"report", "--format", format, file}, strings.NewReader(""), &out, &errs); code > 1 || out.Len() == 0 {
			t.Errorf("%s as %s: exit code %d, %s", file, format, code, &errs)
		}
		return out.String()
	}
	pictures := map[string]int{}
	for _, file := range files {
		page := report("html", file)
		path := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(path, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
		if want := report("jsonl", file); report("jsonl", path) != want {
			t.Errorf("%s: the page has another record inside", file)
		}
		want := 2
		if strings.Contains(page, "<section data-record") { // with charts, and the script that draws them
			want = 3
		}
		if n := strings.Count(page, "<script"); n != want || !strings.Contains(page, `<script type="application/gzip"`) || !strings.Contains(page, `<script type="module">`) {
			t.Errorf("%s: %d scripts", file, n)
		}
		for _, bad := range []string{"http://", "https://", " onclick", " onload", "javascript:"} {
			if strings.Contains(page, bad) && !strings.Contains(report("text", file), bad) {
				t.Errorf("%s: the page contains %q", file, bad)
			}
		}
		pictures[filepath.Base(file)] = strings.Count(page, `<img src="data:image/svg`) + strings.Count(page, `<svg class="flame"`)
	}
	for file, want := range map[string]int{"load.jsonl": 2, "load-sweep.jsonl": 1, "sample.jsonl": 2, "bench.jsonl": 0} {
		if pictures[file] != want {
			t.Errorf("%s: %d pictures, want %d", file, pictures[file], want)
		}
	}
}
