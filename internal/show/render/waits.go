package render

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/record"
)

const (
	mostWaits  = 6    // sites shown of a benchmark, unless all are asked for
	leastWaits = 0.01 // share of waiting time that is worth a line, unless all are asked for
)

// causeWords are what people read for a cause of waiting.
var causeWords = map[string]string{
	record.WaitSend: "channel send", record.WaitReceive: "channel receive", record.WaitGC: "GC", record.WaitCond: "Cond",
	record.WaitWaitGroup: "WaitGroup", record.WaitSyscall: "system call", record.WaitRunnable: "a P",
}

func causeWord(cause string) string {
	if w, ok := causeWords[cause]; ok {
		return w
	}
	return cause
}

// waits shows what goroutines waited for: a block for each benchmark that was traced. Where sides are compared,
// it is shown for each side only if all is asked for.
func (p *view) waits(s *result.Result, all bool) section {
	out := section{table: &table.Table{Columns: []table.Column{
		{}, {Title: "line", Drop: 3}, {Title: "waits for", Gap: 3, Max: 28}, {Title: "waiting/op", Kind: table.Right},
		{Title: "share", Kind: table.Right, Drop: 2}, {Title: "waits/op", Kind: table.Right, Drop: 1}, {Title: "ended by", Gap: 3, Max: 40, Drop: 4},
	}}, least: 12, subject: "function", notes: []string{
		"waiting: summed over goroutines, without the benchmark's own waiting for its workers; ended by: of a lock, the holder that released it",
	}}
	if len(s.Comparisons) > 0 && !all {
		return out
	}
	for _, r := range result.InOrder(s.Results) {
		if r.Waits == nil {
			continue
		}
		name := p.named(r.Pkg, r.Name, r.Procs, r.Side)
		b := table.Block{Title: "waits of " + name, Lines: p.waitLines(r.Pkg, r.Waits, all)}
		b.Lines = append(b.Lines, dimLine("wall time of the benchmark's own goroutine: "+wallTime(r.Waits)), dimLine(waitNote(r.Waits)))
		out.table.Blocks = append(out.table.Blocks, b)
	}
	return out
}

func dimLine(text string) table.Line { return table.Line{Wide: text, Indent: 2, Style: termtext.Dim} }

func (p *view) waitLines(pkg string, w *result.Waits, all bool) []table.Line {
	total := w.Blocked()
	for _, c := range w.Causes {
		if c.Cause == record.WaitSyscall {
			total += float64(c.Time)
		}
	}
	var out []table.Line
	rest, n := total, 0
	for i := range w.Sites {
		x := &w.Sites[i]
		share := float64(x.Time) / total
		if x.Cause == record.WaitWorkers && !all || x.Time == 0 || !all && (len(out) >= mostWaits || share < leastWaits) {
			if x.Cause != record.WaitWorkers && x.Time > 0 {
				n++
			}
			continue
		}
		out = append(out, p.waitLine(pkg, x, share))
		if all && len(x.Path) > 0 {
			out = append(out, table.Line{Wide: p.callers(x.Path, pkg), Indent: 4, Style: termtext.Dim})
		}
		if x.Cause != record.WaitWorkers {
			rest -= float64(x.Time)
		}
	}
	if n > 0 {
		out = append(out, dimLine(fmt.Sprintf("%s: %s/op; -v shows all", units.Plural(n, "more site"), units.Value("ns", max(0, rest), 3))))
	}
	return out
}

// callers writes a call path.
func (p *view) callers(path []string, pkg string) string {
	out := make([]string, len(path))
	for i, f := range path {
		out[i] = "from " + p.Name(funcName(f, pkg))
	}
	return strings.Join(out, ", ")
}

func (p *view) waitLine(pkg string, x *result.WaitSite, share float64) table.Line {
	percent := units.PercentTo(share, 1)
	if x.Cause == record.WaitWorkers {
		percent = ""
	}
	l := table.Line{Cells: p.siteCells(pkg, x.Cause, &x.At)}
	for _, text := range []string{units.Value("ns", float64(x.Time), 3), percent, units.Value("", float64(x.Count), 3), p.endedBy(pkg, x.By)} {
		l.Cells = append(l.Cells, table.Cell{Text: text})
	}
	return l
}

// siteCells are the cells of a site: function, line, and what is waited for there.
func (p *view) siteCells(pkg, cause string, at *record.WaitPlace) []table.Cell {
	name := "(unknown)"
	if at.Func != "" {
		name = p.Name(funcName(at.Func, pkg))
	}
	what := causeWord(cause)
	if op := at.Op[strings.LastIndexByte(at.Op, '.')+1:]; cause == record.WaitSyscall && op != "" {
		what += " " + op
	}
	return []table.Cell{{Text: "  " + name}, {Text: p.lineOf(at)}, {Text: p.Name(what)}}
}

// lineOf returns file and line of a place.
func (p *view) lineOf(at *record.WaitPlace) string {
	if at.File == "" {
		return ""
	}
	return p.Name(path.Base(at.File) + ":" + strconv.Itoa(at.Line))
}

// endedBy returns the place at which another goroutine ended a wait.
func (p *view) endedBy(pkg string, by *record.WaitPlace) string {
	if by == nil || by.Func == "" {
		return ""
	}
	out := p.Name(funcName(by.Func, pkg))
	if line := p.lineOf(by); line != "" {
		out += ", " + line
	}
	return out
}

// wallParts are the parts of the wall time of the benchmark's own goroutine, ns/op, in the order in which they are read.
func wallParts(w *result.Waits) (names []string, ns []float64) {
	own := map[string]float64{}
	for _, c := range w.Causes {
		own[c.Cause] = float64(c.Own)
	}
	names, ns = []string{"running"}, []float64{float64(w.OwnRunning)}
	for _, cause := range append([]string{record.WaitRunnable, record.WaitSyscall}, record.WaitCauses()...) {
		if t, ok := own[cause]; ok {
			names, ns = append(names, wallWord(cause)), append(ns, t)
			delete(own, cause)
		}
	}
	return append(names, "rest"), append(ns, float64(w.Rest))
}

// wallWord is what people read for a part of the wall time.
func wallWord(cause string) string {
	switch cause {
	case record.WaitRunnable:
		return "waiting for a P"
	case record.WaitSyscall:
		return "system calls"
	}
	return causeWord(cause)
}

// wallTime writes the parts of the wall time that are not 0.
func wallTime(w *result.Waits) string {
	var parts []string
	names, ns := wallParts(w)
	for i, t := range ns {
		if t != 0 {
			parts = append(parts, units.Value("ns", t, 3)+" "+names[i])
		}
	}
	return units.Value("ns", float64(w.Wall), 3) + "/op = " + strings.Join(parts, " + ")
}

func waitNote(w *result.Waits) string {
	text := units.Plural(w.Forks, "traced fork")
	if w.Forks > 1 {
		text += ", means"
	}
	if w.Traced < 1 {
		text += fmt.Sprintf("; scaled up from %s of the windows", units.Percent(float64(w.Traced)))
	}
	return text
}
