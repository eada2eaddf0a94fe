package cli

import (
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/record"
)

// Agents are the flags of tare load with which other processes generate the load. Package agentrun has them.
type Agents interface {
	Register(fl *pflag.FlagSet)
	Agents(set func(flag string) bool) (loadrun.Agents, error) // nil if none are asked for
	Secrets() []string                                         // which no output may contain
	Resume() string                                            // the partial record of a run that is to be gathered; "" for none
}

// gathered is a run whose results agents kept.
type gathered struct {
	run  string // its name
	head []record.Line
}

// planAgents takes the flags of agents. It returns the run whose results are to be gathered, nil if one is to be
// measured.
func (f *loadFlags) planAgents(set func(string) bool) (*gathered, error) {
	if f.agents == nil {
		return nil, nil
	}
	var err error
	if f.Agents, err = f.agents.Agents(set); err != nil {
		return nil, err
	}
	f.Hidden = append(f.Hidden, f.agents.Secrets()...)
	path := f.agents.Resume()
	if f.Agents == nil || path == "" {
		return nil, nil
	}
	g := &gathered{}
	g.run, g.head, err = loadrun.ReadHead(path)
	return g, err
}
