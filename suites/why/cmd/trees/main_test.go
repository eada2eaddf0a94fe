package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	to := t.TempDir()
	var out strings.Builder
	if err := run([]string{"-from", "../..", "-to", to, "wrap-memory-limit", "csv-fields-anew"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--bench 'Read$'", "--side-env changed=GOMEMLIMIT=3MiB", "--side base=" + to + "/csv-fields-anew/base ", " ./csv\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for side, anew := range map[string]bool{"base": false, "changed": true} {
		text, err := os.ReadFile(filepath.Join(to, "csv-fields-anew", side, "csv", "csv.go"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(text), "r.fields = nil"); got != anew {
			t.Errorf("%s has the edit: %v", side, got)
		}
	}
	for _, args := range [][]string{{}, {"-from", "../..", "-to", to, "no-such-seed"}, {"-from", to, "-to", to}} {
		if err := run(args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
