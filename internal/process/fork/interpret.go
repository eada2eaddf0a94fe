package fork

import (
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// interpret replaces what profilers' parts in the process attached by the results of the profilers. Other
// lines stay as they are.
func interpret(by []profiler.Interpreter, path string, lines []record.Line, w *sessions) []record.Line {
	for _, p := range by {
		var mine []*record.Attach
		var rest []record.Line
		for _, l := range lines {
			if a, ok := l.(*record.Attach); ok && a.Name == p.Name() {
				mine = append(mine, a)
			} else {
				rest = append(rest, l)
			}
		}
		if len(mine) == 0 {
			continue
		}
		out, err := p.Interpret(path, mine)
		if err != nil {
			w.addUnavailable(p.Name(), err)
		}
		lines = rest
		w.lines = append(w.lines, out...) // sessions.end sets their fork
	}
	return lines
}
