package result

import "github.com/tarebench/tare/record"

// Traced says which functions the forks of a case called whose functions had probes. Such a case
// need not have a [Result]: its forks may all have been a profiler's.
type Traced struct {
	Pkg    string
	Name   string
	Side   string
	Procs  int
	Traces []*record.Trace // one for each fork; not to be changed
}

// traced is what there is of a case, if anything.
func (c *caseData) traced() []Traced {
	if len(c.traces) == 0 {
		return nil
	}
	return []Traced{{Pkg: c.line.Pkg, Name: c.line.Name, Side: c.line.Side, Procs: c.line.Procs, Traces: c.traces}}
}
