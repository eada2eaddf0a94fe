package bisectrun

import (
	"errors"
	"time"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/record"
)

// Config says what is searched. The embedded Config has the benchmark (Run.Config.Bench and Packages), the number of
// layouts, the threshold below which GOOD and BAD do not differ, and the budget. Its sides are filled in.
type Config struct {
	benchrun.Config
	Good, Bad string // revisions
	Metric    string // ns/op, B/op, allocs/op or another that the benchmark reports
}

// Outcome is a search.
type Outcome struct {
	*record.Bisect
	Recorder *session.Recorder
	Entered  *Outcome // the search among the commits of the merge that was found; nil: none
}

// Short returns the part of a commit's hash by which people and records name it.
func Short(hash string) string { return hash[:min(10, len(hash))] }

// sidesOf returns the sides of the record: the commits.
func sidesOf(commits []build.Commit) []record.Side {
	var out []record.Side
	for _, c := range commits {
		out = append(out, record.Side{Name: Short(c.Hash), Revision: c.Hash})
	}
	return out
}

// errBudget ends a search whose time is over.
var errBudget = errors.New("the budget is spent")

func (c *Config) overBudget() bool {
	b := c.Run.Config.Budget
	return b > 0 && time.Since(c.Start) > b
}
