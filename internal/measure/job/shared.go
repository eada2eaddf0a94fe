package job

import (
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/record"
)

// AllOptions returns those of all jobs.
func AllOptions() []Option {
	return slices.Concat(new(Bench).Options(), new(Command).Options(), new(Program).Options())
}

// checkPositive checks an option where 0 means that there is none, and cannot be given.
func checkPositive(p *exit.Problems, given Given, option string, d time.Duration) {
	p.AddIf(d < 0 || d == 0 && given[option], "--%s %s is not above 0", option, d)
}

func validConfidence(c float64) bool { return c > 0 && c < 1 }

func checkConfidence(p *exit.Problems, c float64) {
	p.AddIf(!validConfidence(c), "--confidence %v is not between 0 and 1", c)
}

func checkSeed(p *exit.Problems, given Given, seed string) {
	if _, err := record.ParseSeed(seed); err != nil && (seed != "" || given["seed"]) {
		p.Add("--seed: %v", err)
	}
}

// checkSettings checks variables of the environment.
func checkSettings(p *exit.Problems, list []string) {
	for _, kv := range list {
		if k, _, ok := strings.Cut(kv, "="); !ok || k == "" {
			p.Add("--env %q is not of the form K=V", redact.Setting(kv))
		}
	}
}
