package loadrun

import (
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// Rows say what would be measured: a name and a value each.
func (p *Plan) Rows() [][]string {
	var rows [][]string
	switch {
	case p.target != nil:
		rows = append(rows, []string{"target", "Go package " + p.target.pattern})
	case p.scenario == nil:
		rows = append(rows, []string{"database", p.Binding.Name})
	}
	add := func(when bool, name, format string, args ...any) {
		if when {
			rows = append(rows, []string{name, fmt.Sprintf(format, args...)})
		}
	}
	p.scenarioRows(func(name, format string, args ...any) { add(true, name, format, args...) })
	add(p.Job.Workload != "", "workload", "%s", p.Job.Workload)
	add(p.Binding.OpenDB != nil, "records", "%d", p.Workload.RecordCount)
	shown := kv.Properties(p.ShownProperties())
	for _, name := range shown.Names() {
		add(true, "property", "%s=%s", name, shown[name])
	}
	add(p.scenario == nil || len(p.Run.Schedule.Steps) == 0, "arrivals", "%s", p.Arrivals())
	if p.Run.AutoWorkers {
		add(true, "workers", "auto, up to %d", p.MaxWorkers())
	} else {
		add(true, "workers", "%d", p.Run.Workers)
	}
	if p.Agents != nil {
		add(true, "agents", "%s, of which each has its part of the operations and the workers; if one is lost: %s", p.Agents.Asked(), p.Agents.OnLoss())
	}
	add(p.Job.Warmup > 0, "warm-up", "%s", p.Job.Warmup)
	add(p.Run.Operations > 0, "operations", "%d", p.Run.Operations)
	add(p.Run.Duration > 0, "duration", "%s", p.Run.Duration)
	if n := p.sides.warmups(); n > 1 {
		add(true, "in all", "%s, and the time that servers take to start", p.Run.Duration+time.Duration(n)*p.Job.Warmup)
	}
	add(p.Stepped() == "" && p.Expected() > 0, "due", "about %d operations, warm-up included", p.Expected())
	add(true, "late ones", "%s", p.Job.OnLate)
	if p.sides != nil {
		for _, x := range p.sides.sides {
			name := x.Name + ": "
			if !p.sides.compares() {
				name = ""
			}
			add(x.words != nil, "server", "%s%s", name, p.Redact(shellwords.Join(x.words)))
			add(x.url != "", "side", "%s: %s", x.Name, p.Redact(load.Redact("url", x.url)))
		}
		add(p.sides.compares(), "windows", "%s", p.sides.describe())
	}
	add(p.allow != nil, "may be loaded", "%s", p.allow)
	for _, o := range p.Objectives {
		if o == p.Implied {
			o += ", because no --slo is about errors"
		}
		add(true, "slo", "%s", o)
	}
	add(true, "seed", "%s", p.Seed)
	return rows
}
