package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/loadrun"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/tempdir"
)

// notOrdered are flags of tare bench that are not for agents: what is shown is this command's own business.
var notOrdered = []string{"output", "format", "color", "verbose", "progress", "gate", "strict"}

// onAgents runs the command on other machines, if that is asked for, and shows their results combined.
func (f *benchFlags) onAgents(s streams, cmd *cobra.Command, args []string) (asked bool, err error) {
	if f.agents == nil {
		return false, nil
	}
	if asked, err = f.agents.OnAgents(cmd.Flags().Changed); !asked || err != nil {
		return asked, err
	}
	if f.resume != "" || len(f.gates) > 0 || f.saved.save+f.saved.against != "" {
		return true, usageError(fmt.Errorf("--resume, --save, --gate and --against saved:NAME are not for --agents"), "tare compare --gate judges the record")
	}
	if _, err := f.output.check(); err != nil {
		return true, err
	}
	path, remove, err := f.agentsRecord()
	if err != nil {
		return true, err
	}
	defer remove()
	signals := session.CatchSignals(func(sig os.Signal) {
		fmt.Fprintf(s.err, "tare: %s: ending the runs; once more stops at once\n", sig)
	})
	defer signals.Stop()
	ctx, cancel := signals.FirstContext()
	defer cancel()
	bad := f.agents.Bench(ctx, orderedArgs(cmd, args), path, func(text string) { fmt.Fprintf(s.err, "tare: %s\n", text) })
	if _, err := os.Stat(path); err == nil {
		if err := f.showAgents(s, path); err != nil && bad == nil {
			bad = err
		}
	}
	if signals.Caught() {
		return true, signals.ExitError()
	}
	if bad != nil {
		return true, loadrun.RunError(bad)
	}
	return true, nil
}

// showAgents shows the record as tare report does, on stdout and in the other files of -o.
func (f *benchFlags) showAgents(s streams, path string) error {
	shown := f.output
	shown.files, shown.showOnly = nil, true
	bad := runReport(s, &shown, result.Judgement{}, []string{path})
	for _, name := range f.output.files {
		if name == path {
			continue
		}
		to := f.output
		to.files, to.format, to.showOnly = []string{name}, "", true
		if err := runReport(s, &to, result.Judgement{}, []string{path}); err != nil && bad == nil {
			bad = err
		}
	}
	return bad
}

// agentsRecord returns where the record goes: to the file of -o, or to a temporary one.
func (f *benchFlags) agentsRecord() (path string, remove func(), err error) {
	if path = f.output.Records; path != "" {
		return path, func() {}, nil
	}
	place, err := tempdir.Dir("bench")
	if err != nil {
		return "", nil, err
	}
	return place.Path + "/agents.jsonl", func() { place.Remove() }, nil
}

// orderedArgs returns what agents are to run: the arguments and the flags that were given, without those of agents and of
// outputs.
func orderedArgs(cmd *cobra.Command, args []string) (out []string) {
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		if strings.HasPrefix(fl.Name, "agents") || strings.HasPrefix(fl.Name, "nats") || slices.Contains(notOrdered, fl.Name) {
			return
		}
		if many, ok := fl.Value.(pflag.SliceValue); ok {
			for _, value := range many.GetSlice() {
				out = append(out, "--"+fl.Name+"="+value)
			}
			return
		}
		out = append(out, "--"+fl.Name+"="+fl.Value.String())
	})
	return append(out, args...)
}
