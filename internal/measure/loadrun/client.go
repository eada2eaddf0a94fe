package loadrun

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/numbers/measurement"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
	"github.com/tarebench/tare/record"
)

// ClientProperties returns the properties of YCSB's client, its measurements included, for help.
func ClientProperties() []kv.Property {
	list := []kv.Property{
		{Name: "threadcount", Short: "--workers"},
		{Name: "target", Short: "--rate, operations per second"},
		{Name: "operationcount", Short: "--operations"},
		{Name: "maxexecutiontime", Short: "--duration, in seconds"},
		{Name: "recordcount", Short: "--records"},
		{Name: "status.interval", Short: "--status-interval, in seconds"},
	}
	for _, p := range measurement.Properties() {
		list = append(list, kv.Property{Name: p.Name, Default: p.Default, Short: p.Short})
	}
	return list
}

// ineffective are properties of YCSB's and go-ycsb's clients that do nothing here, and what to use instead.
var ineffective = map[string]string{
	"batch.size": "", "command": "", "db": "use --db", "debug.pprof": "", "discardscannedrecord": "", "dropdata": "",
	"exporter": "use --format ycsb or ycsb-json", "exportfile": "redirect stdout", "histogram.percentiles.export": "use -o x.hlog",
	"histogram.percentiles.export.filepath": "", "label": "", "latencytrackederrors": "", "maxscanrate": "", "measurement.output_file": "use measurement.raw.output_file",
	"measurement.trackjvm": "there is no JVM", "outputstyle": "use --format", "reportlatencyforeacherror": "errors are listed by class", "scanoptimelimit": "", "silence": "",
	"status": "progress is always shown", "verbose": "", "warmuptime": "use --warmup-duration",
}

// idleProperties returns the given properties that do nothing in this run, each with the reason where there is one.
func (p *Plan) idleProperties() []string {
	var out []string
	for _, name := range p.forTare().Names() {
		if why, idle := p.idle(name); idle && why != "" {
			out = append(out, name+" ("+why+")")
		} else if idle {
			out = append(out, name)
		}
	}
	return out
}

func (p *Plan) idle(name string) (why string, idle bool) {
	if why, ok := ineffective[name]; ok {
		return why, true
	}
	if why, ok := p.measurement.Idle(name); ok {
		return p.unseen(name, why)
	}
	named := func(x kv.Property) bool { return x.Name == name }
	prefix, _, dotted := strings.Cut(name, ".")
	switch {
	case slices.ContainsFunc(ClientProperties(), named), name == "dotransactions",
		p.Binding.OpenDB != nil && (name == "workload" || slices.ContainsFunc(ycsb.Properties(), named)),
		slices.ContainsFunc(p.Binding.Properties, named), dotted && prefix == p.Binding.Name:
		return "", false
	case p.Binding.OpenDB == nil && slices.ContainsFunc(ycsb.Properties(), named):
		return p.Binding.Name + " takes no workload", true
	}
	return "", true
}

// unseen returns whether a property of measurements does nothing, although it belongs to their type, because no output shows it.
func (p *Plan) unseen(name, why string) (string, bool) {
	c := &p.measurement
	switch {
	case why != "":
		return why, true
	case p.YCSBText || name == "measurement.interval" || name == "measurement.raw.output_file" || strings.HasPrefix(name, "hdrhistogram.") && name != "hdrhistogram.percentiles":
		return "", false
	case name == "measurementtype" && (c.LogFiles && c.Has(measurement.HdrHistogram) || c.RawFile != "" && c.Has(measurement.Raw)):
		return "", false
	}
	return "shown by --format ycsb", true
}

// warnIdle returns the warning about properties that do nothing, nil if there are none.
func (p *Plan) warnIdle() *record.Warn {
	names := p.idleProperties()
	if len(names) == 0 {
		return nil
	}
	return diagnosis.Warn(diagnosis.IdleProperty, diagnosis.Facts{"properties": strings.Join(names, ", "), "binding": p.Binding.Name})
}
