package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck: what does not compile for one system only is found in sources and tests, and named.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module example.org/m\n\ngo 1.26\n",
		"m.go":             "package m\n\nimport \"os\"\n\nfunc Home() string { return os.Getenv(\"HOME\") }\n",
		"m_darwin.go":      "package m\n\nfunc broken() int { return Home() }\n",
		"m_test.go":        "package m\n\nimport \"testing\"\n\nfunc TestHome(t *testing.T) { Home() }\n",
		"m_darwin_test.go": "package m\n\nfunc lost() { nowhere() }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		system string
		want   []string
	}{
		{"linux", nil},
		{"darwin", []string{"m_darwin.go:3", "m_darwin_test.go:3"}},
	} {
		got, err := check(dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOOS="+c.system), []string{"./..."})
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(got, "\n")
		for _, w := range c.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q is not in:\n%s", c.system, w, text)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %d errors, want %d:\n%s", c.system, len(got), len(c.want), text)
		}
	}
}
