package agentrun

import (
	"errors"
	"testing"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/cli"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
)

// TestFlagGroups: each flag of an agent and of its controller is in one group of the help texts, or it would not be in them.
func TestFlagGroups(t *testing.T) {
	times := map[string]int{}
	for _, g := range flags.Groups {
		for _, name := range g.Flags {
			times[name]++
		}
	}
	for _, o := range new(job.Load).Options() {
		times[o.Name]++
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

// TestFullFlags: tare takes each flag of a controller, and hands over to tare-full.
func TestFullFlags(t *testing.T) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	(&Controller{}).Register(all)
	load, _, err := cli.Command(cli.Config{}).Find([]string{"load"})
	if err != nil {
		t.Fatal(err)
	}
	all.VisitAll(func(f *pflag.Flag) {
		here := load.Flags().Lookup(f.Name)
		if here == nil {
			t.Errorf("tare load has no --%s", f.Name)
			return
		}
		needs := (*exit.NeedsFull)(nil)
		if err := here.Value.Set("1"); !errors.As(err, &needs) || here.NoOptDefVal != f.NoOptDefVal {
			t.Errorf("--%s: %v, without a value %q, want %q", f.Name, err, here.NoOptDefVal, f.NoOptDefVal)
		}
	})
}
