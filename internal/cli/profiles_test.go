package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompareProfiles: two records of profiles are compared as text, picture and page, and what cannot be is refused.
func TestCompareProfiles(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	golden := func(name string) string { return filepath.Join("testdata", "golden", name+".jsonl") }
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		want []string // of what is printed, or of the file that -o names
	}{
		{[]string{"compare", golden("sample"), golden("sample")}, 0, []string{"function, by self", "within noise", "Newcombe"}},
		{[]string{"compare", "--sort", "total", "--focus", "mass", golden("sample"), golden("sample")}, 0, []string{"function, by total", "old: only stacks kept by --focus mass"}},
		{[]string{"compare", "--format", "json", golden("sample"), golden("sample")}, 0, []string{`"base": "old"`, `"verdict": "within noise"`}},
		{[]string{"compare", golden("trace"), golden("trace")}, 0, []string{"function, by self", "no noise of sampling"}},
		{[]string{"compare", "a=" + golden("sample"), "b=" + golden("sample"), "-o", filepath.Join(dir, "c.svg")}, 0, []string{"running, b against a", `data-base="a"`, "within noise"}},
		{[]string{"compare", golden("sample"), golden("sample"), "-o", filepath.Join(dir, "c.html")}, 0, []string{"What changed, by function", `class="n0"`}},
		{[]string{"report", golden("sample"), golden("sample"), "-o", filepath.Join(dir, "r.svg")}, 0, []string{`data-base="old"`}},
		{[]string{"report", golden("sample"), golden("trace"), "-o", filepath.Join(dir, "t.html")}, 0, []string{`class="m0"`}},
		{[]string{"report", "--focus", "mass", golden("sample")}, 0, []string{"only stacks kept by --focus mass"}},
		{[]string{"sample", "--peek", "run$", golden("sample")}, 0, []string{"callers, function, callees"}},
		{[]string{"trace", "--focus", "mass", golden("trace")}, 0, []string{"only stacks kept by --focus mass"}},
		{[]string{"compare", golden("sample"), golden("sample-cpu")}, 1, []string{"their shares cannot be compared"}},
		{[]string{"compare", golden("sample"), golden("bench")}, 1, []string{"no benchmark is in all of them"}},
		{[]string{"compare", "--gate", "slower:5%", golden("sample"), golden("sample")}, 1, []string{"no benchmark is in all of them"}},
		{[]string{"compare", "--format", "csv", golden("sample"), golden("sample")}, 1, []string{"use --format text"}},
		{[]string{"compare", "--focus", "x", golden("bench"), golden("bench-two")}, 2, []string{"no profile is in all of them"}},
		{[]string{"compare", "--focus", "(", golden("sample"), golden("sample")}, 2, []string{"--focus: not a regular expression: missing closing )"}},
		{[]string{"report", "--focus", "x", golden("bench")}, 2, []string{"no call stacks are in it"}},
		{[]string{"report", "--sort", "name", golden("sample")}, 2, []string{`--sort "name" is none of self, total`}},
		{[]string{"report", golden("sample"), golden("bench"), "-o", filepath.Join(dir, "x.svg")}, 2, []string{"a picture holds one run"}},
	} {
		code, out, messages := run("", c.args...)
		if code != c.code {
			t.Errorf("%q: exit code %d, want %d: %s", c.args, code, c.code, messages)
			continue
		}
		if i := len(c.args) - 1; code == 0 && c.args[i-1] == "-o" {
			text, err := os.ReadFile(c.args[i])
			if err != nil {
				t.Error(err)
			}
			out = string(text)
		}
		for _, want := range c.want {
			if !strings.Contains(out+messages, want) {
				t.Errorf("%q: no %q in\n%.1500s%s", c.args, want, out, messages)
			}
		}
	}
}
