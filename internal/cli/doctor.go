package cli

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/doctor"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/profilers"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/profile/trace"
)

// doctorFlags are the flags of tare doctor.
type doctorFlags struct {
	format   string
	duration time.Duration
}

const doctorLong = `tare doctor examines this machine for a second and says what stands in the way of
good measurements, each finding with advice, and which profilers of tare bench --prof
it can serve. It changes nothing. tare selftest says which changes the machine can detect.`

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
	signals := session.CatchSignals(func(sig os.Signal) { fmt.Fprintf(s.err, "tare: %s: the machine was not examined to the end\n", sig) })
	ctx, cancel := signals.FirstContext()
	report, err := doctor.Examine(ctx, doctor.Config{Window: f.duration, Profilers: profilers.All(&asm.Config{}, trace.Config{})})
	cancel()
	signals.Stop()
	if err != nil {
		return signals.ExitError()
	}
	if format == "json" {
		return report.WriteJSON(s.out)
	}
	return report.WriteText(s.out, newPage(s.out))
}
