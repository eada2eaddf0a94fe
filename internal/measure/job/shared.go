package job

import (
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
)

// AllOptions returns those of all jobs.
func AllOptions() []Option {
	return slices.Concat(new(Bench).Options(), new(Load).Options(), new(Command).Options(), new(Program).Options())
}

// checkPositive checks an option where 0 means that there is none, and cannot be given.
func checkPositive(p *exit.Problems, given Given, option string, d time.Duration) {
	p.AddIf(d < 0 || d == 0 && given[option], "--%s %s is not above 0", option, d)
}

func validConfidence(c float64) bool { return c > 0 && c < 1 }

func checkConfidence(p *exit.Problems, c float64) {
	p.AddIf(!validConfidence(c), "--confidence %v is not between 0 and 1", c)
}

// checkSettings checks variables of the environment.
func checkSettings(p *exit.Problems, list []string) {
	for _, kv := range list {
		k, _, ok := strings.Cut(kv, "=")
		p.AddIf(!ok || k == "", "--env %q is not of the form K=V", redact.Setting(kv))
	}
}
