package loadrun

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/mock"
)

// head returns the head of a plan's record as text, with its attachments.
func head(t *testing.T, p *Plan) string {
	t.Helper()
	db, err := mock.Open(context.Background(), kv.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	run := (&Runner{plan: p}).header(&system{target: nothing{}, db: db, caps: kv.Capabilities{Name: "x", Load: true}})
	run.Mono = 0
	text, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := p.scenarioText()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(append([]string{string(text), p.Stepped(), scenario}, p.Objectives...), "\n")
}

// TestHeadHasEverything: each option that changes what is measured is in the head of the record.
func TestHeadHasEverything(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"due": "0\n1ms\n", "p": "readproportion=0.5\nupdateproportion=0.5\n",
		"s.yaml": "target: http://127.0.0.1:1\ntransactions: {a: {steps: [{name: x, get: /}]}}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// Options that change what is seen of the run, or how a server starts, and not what is measured.
	others := []string{"latency", "slowest", "watch-pid", "watch-vars", "health", "ready-timeout"}
	values := map[string]string{
		"workload": "b", "scenario": "s.yaml", "db": "mem", "property": "requestdistribution=uniform", "properties": "p", "serve": "./server", "dir": filepath.Dir(t.TempDir()),
		"records": "7", "no-load": "true", "replay": "due", "precision": "30%", "allow-host": "192.0.2.1", "rate": "70", "steps": "5:1s", "search": "p99<1s",
		"start": "70/s", "most": "2k/s", "rates": "1,2", "arrivals": "poisson", "workers": "7", "on-late": "limit=2x", "pace": "spin", "slo": "p50<1s",
		"against": "HEAD", "threshold": "7%", "seed": "7f", "starts": "7", "max-outstanding": "7", "operations": "7", "max-errors": "7", "side-duration": "2s",
	}
	with := map[string]func(*job.Load){
		"serve": served, "against": served, "starts": compared, "side-duration": compared, "threshold": compared,
		"side":  func(j *job.Load) { j.Rate = "500" },
		"start": searched, "most": searched, "precision": searched,
		"ramp": func(j *job.Load) { j.Rate = "1..2" }, "arrivals": func(j *job.Load) { j.Rate = "5" }, "on-late": func(j *job.Load) { j.Rate = "5" },
		"max-outstanding": func(j *job.Load) { j.Rate = "5" },
		"scenario":        func(j *job.Load) { j.Workload, j.DB = "", job.DefaultDB },
	}
	for i, o := range new(job.Load).Options() {
		if slices.Contains(others, o.Name) {
			continue
		}
		plan := func(change func(*job.Load)) (*Plan, error) {
			return planOf(t, "mock", func(j *job.Load) {
				j.Seed = "5"
				if f := with[o.Name]; f != nil {
					f(j)
				}
				change(j)
			})
		}
		without := ""
		if p, err := plan(func(*job.Load) {}); err == nil { // a scenario is what is loaded, and nothing is without it
			without = head(t, p)
		}
		p, err := plan(func(j *job.Load) {
			all := []string{values[o.Name]}
			switch {
			case o.Name == "side":
				all = []string{"a=redis://127.0.0.1:1", "b=redis://127.0.0.1:2"}
			case all[0] == "" && o.Value.Type() == "duration":
				all[0] = "90s"
			}
			for _, v := range all {
				if err := j.Options()[i].Value.Set(v); err != nil {
					t.Fatalf("--%s %s: %v", o.Name, v, err)
				}
			}
			j.Given = job.Given{o.Name: true}
		})
		if err != nil {
			t.Errorf("--%s: %v", o.Name, err)
		} else if head(t, p) == without {
			t.Errorf("--%s leaves no trace in the head of the record", o.Name)
		}
	}
}

func served(j *job.Load) {
	j.DB, j.Rate, j.Serve = "redis://127.0.0.1:{port}", "500", "./server {port}"
}

func compared(j *job.Load) { served(j); j.Against = "HEAD" }

func searched(j *job.Load) { j.Search = []string{"p99<1s"} }
