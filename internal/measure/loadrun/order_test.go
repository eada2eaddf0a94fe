package loadrun

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/measure/job"
)

// TestOrder: agents are told what to open and no more: no command, no directory of the controller's machine, and of its
// environment only the variables that a scenario names.
func TestOrder(t *testing.T) {
	t.Setenv("TARE_TEST_TOKEN", "told")
	t.Setenv("TARE_TEST_OTHER", "never-told")
	file := filepath.Join(t.TempDir(), "s.yaml")
	text := "target: http://127.0.0.1:1\nenv: [TARE_TEST_TOKEN]\ntransactions: {a: {steps: [{name: x, get: '/${env.TARE_TEST_TOKEN}'}]}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	known := []string{"binding", "url", "props", "described", "records", "expected", "no_load", "op_timeout", "workers", "seed", "allowed", "scenario"}
	for name, change := range map[string]func(*job.Load){
		"workload": func(j *job.Load) {
			j.Serve, j.DB, j.Dir = "./never-told {port}", "redis://127.0.0.1:{port}", t.TempDir()
		},
		"scenario": func(j *job.Load) { j.Workload, j.DB, j.Scenario = "", job.DefaultDB, file },
	} {
		p, err := planOf(t, "mem", change)
		if err != nil {
			t.Fatal(err)
		}
		order, err := p.order()
		if err != nil {
			t.Fatal(err)
		}
		var keys map[string]any
		if err := json.Unmarshal(order, &keys); err != nil {
			t.Fatal(err)
		}
		for _, key := range slices.Collect(maps.Keys(keys)) {
			if !slices.Contains(known, key) {
				t.Errorf("%s: agents are told %q", name, key)
			}
		}
		if strings.Contains(string(order), "never-told") || name == "workload" && strings.Contains(string(order), os.TempDir()) {
			t.Errorf("%s: %s", name, order)
		}
		if told := strings.Contains(string(order), `"told"`); told != (name == "scenario") {
			t.Errorf("%s: the variable that it names is told: %v", name, told)
		}
	}
}
