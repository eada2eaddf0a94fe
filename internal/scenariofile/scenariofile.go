// Package scenariofile gives the command what package load/scenario reads from files. Its parser of
// YAML is large, so that only cmd/tare-full and tests of the command import it:
//
//	cli.Main(cli.Config{Scenarios: scenariofile.Format(), …}, …)
package scenariofile

import (
	"context"
	"time"

	"github.com/tarebench/tare/internal/loadrun"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/scenario"
)

// Format returns the format of scenarios.
func Format() *loadrun.Scenarios {
	return &loadrun.Scenarios{Schema: scenario.Schema, Parse: func(content []byte, file string, lookup func(string) (string, bool), alone bool) (loadrun.Scenario, error) {
		parse := scenario.Parse
		if alone {
			parse = scenario.ParseAlone
		}
		s, err := parse(content, file, lookup)
		if err != nil {
			return nil, err
		}
		return parsed{s}, nil
	}}
}

// parsed is a scenario as the command sees it.
type parsed struct{ *scenario.Scenario }

func (p parsed) Named() string         { return p.File }
func (p parsed) Allowed() []string     { return p.Allow }
func (p parsed) SLOs() []string        { return p.Objectives }
func (p parsed) SecretTexts() []string { return p.Secrets }

func (p parsed) Open(ctx context.Context, allow *load.Consent, opTimeout time.Duration, seed uint64) (load.Target, error) {
	return scenario.Open(ctx, p.Scenario, scenario.Settings{Allow: allow, OpTimeout: opTimeout, Seed: seed})
}

func (p parsed) Changed(schedule *load.Schedule, d time.Duration, allow, slos []string) ([]byte, error) {
	return p.YAML(scenario.Changes{Schedule: schedule, Duration: d, Allow: allow, Objectives: slos})
}
