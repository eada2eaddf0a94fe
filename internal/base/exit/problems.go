package exit

import (
	"errors"
	"fmt"
	"strings"
)

// Problems collects what is wrong with an input, so that all of it is said at once.
type Problems struct {
	Hint string // what to type instead
	list []string
}

// Add adds a problem.
func (p *Problems) Add(format string, args ...any) {
	p.list = append(p.list, fmt.Sprintf(format, args...))
}

// AddIf adds a problem if there is one.
func (p *Problems) AddIf(bad bool, format string, args ...any) {
	if bad {
		p.Add(format, args...)
	}
}

// HintIf adds a problem if there is one. If it is the first, its hint says what to type instead.
func (p *Problems) HintIf(bad bool, hint, format string, args ...any) {
	if bad && len(p.list) == 0 {
		p.Hint = hint
	}
	p.AddIf(bad, format, args...)
}

// AddError adds an error, if it is one. If it is the first problem, its hint counts.
func (p *Problems) AddError(err error) {
	hint := p.Hint
	if x := As(err); x != nil {
		hint = x.Hint
	}
	p.HintIf(err != nil, hint, "%v", err)
}

// AtLeast checks the number of an option.
func (p *Problems) AtLeast(option string, n, least int) {
	p.AddIf(n < least, "--%s %d is less than %d", option, n, least)
}

// Err returns one error of wrong usage for all problems, nil if there are none.
func (p *Problems) Err() error {
	if len(p.list) == 0 {
		return nil
	}
	return Usage(errors.New(strings.Join(p.list, "; ")), p.Hint)
}
