package render

import (
	"encoding/json"
	"io"
	"math"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// writeJSON writes the summary object, indented, with one newline at the end.
func writeJSON(w io.Writer, s *result.Result) error {
	e := json.NewEncoder(termtext.JSON(w))
	e.SetIndent("", "  ")
	return e.Encode(struct {
		*result.Result
		Traced []jsonTraced `json:"traced,omitempty"`
	}{s, jsonTraces(s.Calls)})
}

// jsonTraced says which functions a benchmark called. Times and callers are in the
// record, which tare trace shows.
type jsonTraced struct {
	Pkg       string           `json:"pkg"`
	Name      string           `json:"name"`
	Side      string           `json:"side,omitempty"`
	Procs     int              `json:"procs"`
	Error     string           `json:"error,omitempty"` // why there are no functions
	Forks     int              `json:"forks"`
	Ops       int64            `json:"ops"`       // operations in all forks
	Functions []jsonTracedFunc `json:"functions"` // that were called, those with the most own time first
}

type jsonTracedFunc struct {
	Name       string  `json:"name"`
	Calls      int64   `json:"calls"` // in all forks
	PerOp      float64 `json:"calls_per_op"`
	Fewest     float64 `json:"fewest_calls_per_op"` // of a fork
	Most       float64 `json:"most_calls_per_op"`
	Own        float64 `json:"own_ns"`                   // without probes, and without Long calls
	Long       int64   `json:"long_calls,omitempty"`     // its first, of more work, or interrupted
	Dominated  bool    `json:"dominated,omitempty"`      // the time is mostly that of the probe
	Unreliable bool    `json:"own_unreliable,omitempty"` // own_ns may be off by more than a fifth
}

func jsonTraces(all []result.Profiled[record.Trace]) (out []jsonTraced) {
	for _, x := range all {
		j := jsonTraced{Pkg: x.Pkg, Name: x.Name, Side: x.Side, Procs: x.Procs, Forks: len(x.Forks), Functions: []jsonTracedFunc{}}
		sum, err := record.MergeTraces(x.Forks)
		if err != nil {
			j.Error = err.Error()
			out = append(out, j)
			continue
		}
		sum = sum.Scaled()
		j.Ops = sum.Ops
		funcs, _ := dearest(sum)
		for _, f := range funcs {
			mean, fewest, most := sum.PerOp(f.TraceFunc)
			j.Functions = append(j.Functions, jsonTracedFunc{f.Name, f.Calls, mean, fewest, most, math.Round(10*f.own) / 10, f.long.N, f.Probes(), f.Probes() || f.uncertain(sum)})
		}
		out = append(out, j)
	}
	return out
}
