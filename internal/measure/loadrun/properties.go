package loadrun

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/numbers/measurement"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
)

// properties reads the workload and what -P and -p say.
func (p *Plan) properties(j *job.Load) error {
	p.props, p.given = kv.Properties{}, kv.Properties{}
	if j.Workload != "" {
		builtin, ok := ycsb.Workload(j.Workload)
		if ok {
			p.props.Merge(builtin)
		} else if err := p.workloadFile(j.Workload); err != nil {
			return err
		}
	}
	for _, name := range j.PropertyFiles {
		from, err := readProperties(name)
		if err != nil {
			return exit.Usage(fmt.Errorf("-P: %w", err), "")
		}
		p.given.Merge(from)
	}
	for _, a := range j.Properties {
		if err := p.given.Set(a); err != nil {
			return exit.Usage(fmt.Errorf("-p: %w", err), "")
		}
	}
	p.props.Merge(p.given)
	return nil
}

// workloadFile reads a workload from a file. For a path of one of YCSB's own files that
// does not exist, the hint names the built-in workload.
func (p *Plan) workloadFile(name string) error {
	from, err := readProperties(name)
	if err != nil {
		hint := "built in are " + strings.Join(ycsb.Names(), ", ")
		if base := filepath.Base(name); errors.Is(err, os.ErrNotExist) && strings.HasPrefix(base, "workload") && len(base) == len("workload")+1 {
			hint = "YCSB's is built in: --workload " + base[len("workload"):]
		}
		if errors.Is(err, os.ErrNotExist) {
			err = fmt.Errorf("there is no workload and no file %q", name)
		}
		return exit.Usage(fmt.Errorf("--workload: %w", err), hint)
	}
	p.given.Merge(from)
	return nil
}

// readProperties reads a file of properties.
func readProperties(name string) (kv.Properties, error) {
	f, err := input.File(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return kv.ParseProperties(f, name)
}

// hideSecrets remembers the secrets, which no output may contain.
func (p *Plan) hideSecrets() {
	for name, value := range p.props {
		if slices.ContainsFunc(p.Binding.Properties, func(x kv.Property) bool { return x.Secret && x.Name == name }) {
			redact.Add(value)
		}
		redact.AddPairs([]string{name + "=" + value})
	}
	redact.AddArgs([]string{p.url})
}

// ShownProperties returns the properties that were given, with their secrets redacted.
func (p *Plan) ShownProperties() map[string]string {
	out := p.given.Redacted()
	for _, x := range p.Binding.Properties {
		if _, ok := out[x.Name]; ok && x.Secret {
			out[x.Name] = load.Masked
		}
	}
	return out
}

// Redact replaces the secrets in a text, and what looks like one.
func (p *Plan) Redact(text string) string { return redact.Value("", redact.Text(text)) }

// fromProperties sets the fields for which YCSB's own client has properties: threadcount, target, operationcount,
// maxexecutiontime and others. Options that were given win.
func fromProperties(j *job.Load, given kv.Properties, m measurement.Config) error {
	g, set := given.Getter(), j.Given
	if n := g.Int("threadcount", 0); n != 0 && !set["workers"] {
		j.Workers = strconv.FormatInt(n, 10)
	}
	if x := g.Float("target", 0); x > 0 && len(j.Scheduled()) == 0 {
		j.Rate = strconv.FormatFloat(x, 'f', -1, 64)
	}
	if !set["duration"] && !set["operations"] {
		n, s := g.Int("operationcount", 0), g.Int("maxexecutiontime", 0)
		if n > 0 && !j.Stepped() && !j.Compares() {
			j.Operations, j.Duration = n, 0
		}
		if s > 0 {
			j.Duration = time.Duration(s) * time.Second
		}
	}
	if (g.Bool("basicdb.verbose", false) || g.Bool("basicdb.count", false)) && !set["warmup-duration"] {
		j.Warmup = 0 // YCSB has none, and they tell of each operation
	}
	if n := g.IntIn("recordcount", j.Records, 1, math.MaxInt64); !set["records"] {
		j.Records = n
	}
	switch s := g.Int("status.interval", 0); {
	case set["status-interval"]:
	case m.Has(measurement.TimeSeries): // whose means are those of intervals
		j.Interval = m.Granularity
	case s > 0:
		j.Interval = time.Duration(s) * time.Second
	}
	if m.Interval != "" && !set["latency"] {
		j.Latency = m.Interval
	}
	if g.Has("dotransactions") && !g.Bool("dotransactions", true) {
		g.Fail("dotransactions", "tare load always runs what it loaded; leave it out")
	}
	return g.Err()
}
