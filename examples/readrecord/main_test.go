package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMedians: the figures are those that tare reports for the same record.
func TestMedians(t *testing.T) {
	golden := filepath.Join("..", "..", "internal", "cli", "testdata", "golden")
	text, err := os.ReadFile(filepath.Join(golden, "bench.report.json.golden"))
	if err != nil {
		t.Fatal(err)
	}
	var reported struct {
		Results []struct {
			Pkg, Name, Unit, Role string
			Median                float64
			Forks                 int
		}
	}
	if err := json.Unmarshal(text, &reported); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := run(filepath.Join(golden, "bench.jsonl"), &got); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(got.String(), "\n"); n != len(reported.Results) || n == 0 {
		t.Errorf("%d lines for %d results:\n%s", n, len(reported.Results), &got)
	}
	for _, r := range reported.Results {
		if want := fmt.Sprintf("%s.%s: %.1f ns/op, %d forks\n", r.Pkg, r.Name, r.Median, r.Forks); !strings.Contains(got.String(), want) {
			t.Errorf("no line %q in\n%s", want, &got)
		}
	}
	if err := run(filepath.Join(t.TempDir(), "none"), &got); err == nil {
		t.Error("no error without a file")
	}
}
