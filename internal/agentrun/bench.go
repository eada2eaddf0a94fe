package agentrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/benchorder"
	"github.com/tarebench/tare/internal/cluster"
	"github.com/tarebench/tare/internal/exit"
)

// RegisterBench adds to tare bench those flags that concern agents.
func (c *Controller) RegisterBench(fl *pflag.FlagSet) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.Register(all)
	all.Lookup("agents").Usage = "run the command on other machines, each in its own checkout: `N` that join, or a,b by name; see tare-full agent --bench-dir. Their results are combined"
	for _, name := range benchFlags {
		if name != "resume" { // tare bench has another one
			fl.AddFlag(all.Lookup(name))
		}
	}
}

// benchFlags are the flags of agents that tare bench has.
var benchFlags = []string{"agents", "agents-listen", "nats", "agents-token", "nats-creds", "agents-cert", "agents-key", "agents-ca", "agents-group", "agents-timeout"}

// OnAgents reports whether the flags ask for agents, and checks them.
func (c *Controller) OnAgents(set func(string) bool) (bool, error) {
	asked, err := c.Agents(set)
	if err != nil || asked == nil {
		return false, err
	}
	if c.local > 0 {
		return false, exit.Usage(fmt.Errorf("--agents %s: several benchmarks at once on one machine disturb each other", c.agents), "give the names of agents on other machines; without --agents the run is here")
	}
	return true, nil
}

// Bench runs tare bench with these arguments on all agents at the same time, and writes one record file with a run of each.
// What was measured until an error is in the file, if there is anything.
func (c *Controller) Bench(ctx context.Context, args []string, path string, note func(string)) error {
	group := cluster.NewID()
	if err := (benchorder.Order{Args: args, Machine: "agent", Group: group}).Validate(); err != nil {
		return exit.Usage(fmt.Errorf("--agents: %w", err), "agents run it in their own checkout")
	}
	what, err := json.Marshal(benchorder.Order{Args: args, Group: group})
	if err != nil {
		return err
	}
	s, err := c.join(ctx, "", nil, note)
	if err != nil {
		return err
	}
	if a, b := s.onOneHost(); a != "" {
		note(fmt.Sprintf("agents %s and %s are on the same host: together they say nothing about other machines", a, b))
	}
	all := benchorder.NewCollector(path, group)
	err = s.RunTask(ctx, what, func(agent cluster.Machine, lines [][]byte) error {
		for _, line := range lines {
			if err := all.Line(agent.Name, line); err != nil {
				return err
			}
		}
		return nil
	})
	if e := all.Close(); e != nil {
		return errors.Join(err, exit.Failed(e, ""))
	}
	return errors.Join(err, s.Close(true))
}

// onOneHost returns two agents of the same host, "" if there are none.
func (s *system) onOneHost() (a, b string) {
	first := map[string]string{}
	for _, m := range s.Agents() {
		if other, ok := first[m.Host]; ok {
			return other, m.Name
		}
		first[m.Host] = m.Name
	}
	return "", ""
}

// benchTask returns the task of an agent that runs benchmarks in a directory.
func benchTask(dir, name string, messages io.Writer) cluster.Task {
	return func(ctx context.Context, what []byte, line func([]byte) error) error {
		var o benchorder.Order
		if err := json.Unmarshal(what, &o); err != nil {
			return errors.New("the order is not understood")
		}
		o.Machine = name
		return benchorder.Runner{Messages: messages}.Run(ctx, dir, o, line)
	}
}
