package agentrun

import (
	"testing"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/flags"
)

// TestFlagGroups: each flag of an agent and of its controller is in one group of the help texts, or it would not be in them.
func TestFlagGroups(t *testing.T) {
	times := map[string]int{}
	for _, g := range flags.Groups {
		for _, name := range g.Flags {
			times[name]++
		}
	}
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	(&Controller{}).Register(all)
	agent := pflag.NewFlagSet("", pflag.ContinueOnError)
	(&agentFlags{}).register(agent)
	for _, set := range []*pflag.FlagSet{all, agent} {
		set.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && times[f.Name] != 1 {
				t.Errorf("--%s is in %d groups of flags.Groups", f.Name, times[f.Name])
			}
		})
	}
}
