package loadrun

import (
	"fmt"

	"github.com/tarebench/tare/load/kv"
)

// Rows say what would be measured: a name and a value each.
func (p *Plan) Rows() [][]string {
	rows := [][]string{{"database", p.Binding.Name}}
	add := func(when bool, name, format string, args ...any) {
		if when {
			rows = append(rows, []string{name, fmt.Sprintf(format, args...)})
		}
	}
	add(p.WorkloadID != "", "workload", "%s", p.WorkloadID)
	add(p.Binding.OpenDB != nil, "records", "%d", p.Workload.RecordCount)
	shown := kv.Properties(p.ShownProperties())
	for _, name := range shown.Names() {
		add(true, "property", "%s=%s", name, shown[name])
	}
	add(true, "arrivals", "%s", p.Arrivals())
	if p.Run.AutoWorkers {
		add(true, "workers", "auto, up to %d", p.MaxWorkers())
	} else {
		add(true, "workers", "%d", p.Run.Workers)
	}
	add(p.Warmup > 0, "warm-up", "%s", p.Warmup)
	add(p.Run.Operations > 0, "operations", "%d", p.Run.Operations)
	add(p.Run.Duration > 0, "duration", "%s", p.Run.Duration)
	add(p.Stepped() == "" && p.Expected() > 0, "due", "about %d operations, warm-up included", p.Expected())
	add(true, "late ones", "%s", p.OnLate)
	for _, o := range p.Objectives {
		add(true, "slo", "%s", o)
	}
	add(true, "seed", "%s", p.Seed)
	return rows
}
