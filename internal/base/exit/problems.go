package exit

import (
	"errors"
	"fmt"
	"strings"
)

// Problems collects what is wrong with a command line, so that all of it is reported at once. The zero value has none.
type Problems struct {
	Hint string // what to type instead

	list []string
}

// Add adds a problem.
func (p *Problems) Add(format string, args ...any) {
	p.list = append(p.list, fmt.Sprintf(format, args...))
}

// AddError adds an error, if it is one. If it is the first problem, its hint counts.
func (p *Problems) AddError(err error) {
	if err == nil {
		return
	}
	if x := As(err); x != nil && len(p.list) == 0 {
		p.Hint = x.Hint
	}
	p.Add("%v", err)
}

// Err returns one error of wrong usage for all problems, nil if there are none.
func (p *Problems) Err() error {
	if len(p.list) == 0 {
		return nil
	}
	return Usage(errors.New(strings.Join(p.list, "; ")), p.Hint)
}
