package plantext

import (
	"io"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
)

// jsonPlan is the JSON of a plan. Times are in ns.
type jsonPlan struct {
	Seed      record.Seed `json:"seed"`
	Rounds    int         `json:"rounds"` // at most, with a precision
	Order     string      `json:"order"`
	Precision float64     `json:"precision,omitempty"`
	Cases     []jsonCase  `json:"cases"`
	Failed    []string    `json:"failed,omitempty"`
	Preparing int64       `json:"preparing_ns"`
	Measuring int64       `json:"measuring_ns"`
}

type jsonCase struct {
	Pkg        string `json:"pkg"`
	Name       string `json:"name"`
	Side       string `json:"side,omitempty"`
	Procs      int    `json:"procs"`
	Mode       string `json:"mode"`
	N          int64  `json:"n,omitempty"`          // operations of an iteration, unless package testing chooses them
	Iterations int    `json:"iterations,omitempty"` // measured ones of a fork
	Fork       int64  `json:"fork_ns"`              // what a fork takes
}

// WriteJSON writes the plan as one JSON object.
func WriteJSON(w io.Writer, p *Plan) error {
	cfg := &p.Run.Config
	j := jsonPlan{
		Seed: p.Run.Seed, Rounds: cfg.Forks, Order: cfg.Order, Precision: cfg.Precision, Cases: []jsonCase{},
		Preparing: p.Preparing.Nanoseconds(), Measuring: p.Measuring.Nanoseconds(),
	}
	for _, l := range p.Lost {
		j.Failed = append(j.Failed, redact.Name(l))
	}
	for _, c := range p.Cases {
		x := jsonCase{Pkg: c.Pkg, Name: redact.Name(c.Name), Side: c.Side, Procs: c.Procs, Mode: c.Mode, N: c.N, Fork: c.Wall}
		if c.Mode == record.ModeTime {
			x.N = 0
		}
		if x.Iterations, _ = cfg.Iterating(c); c.SingleShot {
			x.Iterations = 1
		}
		j.Cases = append(j.Cases, x)
	}
	return writeJSON(w, j)
}

// WriteRowsJSON writes rows of a name and a value as one JSON object. A name that several rows
// have gets a list.
func WriteRowsJSON(w io.Writer, rows [][]string) error {
	values := map[string]any{}
	for _, row := range rows {
		switch old := values[row[0]].(type) {
		case nil:
			values[row[0]] = row[1]
		case string:
			values[row[0]] = []string{old, row[1]}
		case []string:
			values[row[0]] = append(old, row[1])
		}
	}
	return writeJSON(w, values)
}

func writeJSON(w io.Writer, v any) error {
	return termtext.NewJSON(w, "  ").Encode(v)
}
