package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMan: each verb has a manual page with its flags.
func TestMan(t *testing.T) {
	dir := t.TempDir()
	if err := run([]string{"man", dir}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"tare.1": "interleaved forks", "tare-bench.1": `\fB--forks\fP`, "tare-hist-plot.1": `\fB--scale\fP`, "tare-load.1": "bolt, http, mem"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, want a page with %q", name, err, want)
		}
	}
	for _, args := range [][]string{nil, {"man"}, {"help", "bench"}, {"run"}, {"nothing"}} {
		if run(args) == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
