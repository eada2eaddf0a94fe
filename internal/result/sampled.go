package result

import "github.com/tarebench/tare/record"

// Sampled says where the forks of a case that were sampled spent their time. Such a case need not
// have a [Result]: its forks may all have been a profiler's.
type Sampled struct {
	Pkg  string
	Name string
	Side string
	Asm  []*record.Asm // one for each fork; not to be changed
}

// sampled is what there is of a case, if anything.
func (c *caseData) sampled() []Sampled {
	if len(c.asms) == 0 {
		return nil
	}
	return []Sampled{{Pkg: c.line.Pkg, Name: c.line.Name, Side: c.line.Side, Asm: c.asms}}
}
