package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/load/kv"
)

// Agents are the flags of tare load with which other processes generate the load. Package agentrun has them.
type Agents interface {
	Register(fl *pflag.FlagSet)
	Agents(set func(flag string) bool) (loadrun.Agents, error) // nil if none are asked for
	Secrets() []string                                         // which no output may contain
	Resume() string                                            // the partial record of a run that is to be gathered; "" for none
}

// plan checks the flags and returns what is measured, or what is gathered from agents that kept it.
func (f *loadFlags) plan(cmd *cobra.Command, bindings []kv.Binding) (*loadrun.Plan, error) {
	f.job.Given = flags.GivenTo(cmd.Flags())
	c := loadrun.Program{Bindings: bindings, YCSBText: f.output.format == string(render.YCSB), Strict: f.strict}
	if f.agents != nil {
		var err error
		if c.Agents, err = f.agents.Agents(cmd.Flags().Changed); err != nil {
			return nil, err
		}
		redact.Add(f.agents.Secrets()...)
		if path := f.agents.Resume(); c.Agents != nil && path != "" {
			if f.dryRun || f.print {
				return nil, usageError(errors.New("--resume gathers what agents kept, and measures nothing"), "leave out --dry-run and --print-scenario")
			}
			return loadrun.GatherPlan(f.job, c, path)
		}
	}
	return loadrun.NewPlan(f.job, c)
}
