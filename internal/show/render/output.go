package render

import (
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
)

const (
	tailLines = 20 // of a failed fork's output
	tabWidth  = 4
)

// output keeps the end of a failed fork's output. The roles of a benchmark share
// their forks: it is kept once.
func (p *view) output(r *result.Benchmark, name string) {
	tail := strings.TrimRight(r.Tail, " \t\r\n")
	if tail == "" {
		return
	}
	o := output{of: "output of " + name}
	if r.Forks > 0 {
		o.of = "output of a failed fork of " + name
	}
	if r.Side != "" {
		o.of += ", " + p.Name(r.Side)
	}
	for _, have := range p.outputs {
		if have.of == o.of {
			return
		}
	}
	lines := strings.Split(tail, "\n")
	for _, l := range lines[max(0, len(lines)-tailLines):] {
		l = strings.TrimRight(l, " \t\r")
		o.lines = append(o.lines, p.Text(strings.ReplaceAll(l, "\t", termtext.Pad(tabWidth))))
	}
	p.outputs = append(p.outputs, o)
}
