package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/aatest"
	"github.com/tarebench/tare/internal/clock"
	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/flags"
	"github.com/tarebench/tare/internal/profiler/asm"
	"github.com/tarebench/tare/internal/profiler/trace"
	"github.com/tarebench/tare/internal/render/table"
	"github.com/tarebench/tare/internal/runner"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
)

// doctorFlags are the flags of tare doctor.
type doctorFlags struct {
	format   string
	duration time.Duration
	selftest bool
}

const doctorLong = `tare doctor looks at this machine for a second and says what stands in the way of
good measurements, each finding with advice, and which profilers of tare bench --prof
it can serve. It changes nothing. With --selftest it measures the same binary against
itself besides, for 20 seconds.`

func newDoctor(s streams) *cobra.Command {
	f := &doctorFlags{}
	return verb{
		use:   "doctor",
		short: "Check this machine for what disturbs measurements",
		long:  doctorLong,
		args:  noArguments,
		register: func(fl *pflag.FlagSet) {
			flags.Format(fl, &f.format, "text", "json")
			fl.DurationVar(&f.duration, "duration", 0, "how long to watch for steal and other processes (default 1s)")
			flags.Rename(fl, "window", "duration")
			fl.BoolVar(&f.selftest, "selftest", false, "append a short self-test, see tare selftest")
			flags.Rename(fl, "deep", "selftest")
		},
		run: func(*cobra.Command, []string) error { return f.run(s) },
	}.command()
}

func (f *doctorFlags) run(s streams) error {
	format, err := formatOf("--format", f.format, "", "text", "json")
	if err != nil {
		return err
	}
	if f.duration < 0 {
		return usageError(fmt.Errorf("--duration %s is below 0", f.duration), "")
	}
	c := clock.Measure()
	found := env.Examine(env.Config{Window: f.duration, ClockRead: c.Read, ClockResolution: c.Resolution})
	found = append(found, profilerFindings(runner.Profilers(&asm.Config{}, trace.Config{}))...)
	if format == "text" {
		if err := writeFindings(s.out, env.Describe(), found); err != nil {
			return err
		}
	}
	var self *aatest.Result
	if f.selftest {
		self, err = deepSelftest(s, deepBudget)
	}
	switch {
	case format == "json":
		err = errors.Join(err, writeFindingsJSON(s.out, env.Describe(), c, found, self))
	case self != nil:
		err = errors.Join(err, writeDeep(s.out, self, deepBudget))
	}
	return err
}

func writeFindingsJSON(w io.Writer, m env.Machine, c clock.Overhead, found []env.Finding, self *aatest.Result) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Machine  record.Env     `json:"machine"`
		Clock    float64        `json:"clock_ns"`
		Loop     float64        `json:"loop_ns"`
		Findings []env.Finding  `json:"findings"`
		Selftest *aatest.Result `json:"selftest,omitempty"`
	}{session.Machine(m, runtime.Version()), c.Read, c.Loop, found, self})
}

func writeFindings(w io.Writer, m env.Machine, found []env.Finding) error {
	p := newPage(w)
	p.Items(termtext.Normal, m.OS+"/"+m.Arch, cmp.Or(m.CPU, "unknown processor")+", "+units.Plural(m.Cores, "core"), m.Virtual())
	p.Blank()
	t := &table.Table{Columns: []table.Column{{}, {}}}
	styles := map[env.Level]termtext.Style{env.Warn: termtext.Yellow}
	for _, f := range found {
		t.Add(table.Line{Cells: []table.Cell{{Text: string(f.Level), Style: styles[f.Level]}, {Text: f.Name}}, Rest: f.Text})
		if f.Advice != "" {
			t.Add(table.Line{Cells: []table.Cell{{}, {}}, Rest: "→ " + f.Advice})
		}
	}
	p.Table(t.Fit(p.Charset, p.Columns, 0))
	_, err := p.WriteTo(w)
	return err
}
