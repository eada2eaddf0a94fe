package render

import (
	"bytes"
	"errors"
	"fmt"

	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// The formats that only load runs have: what YCSB prints at the end of a run.
const (
	YCSB     Format = "ycsb"      // its text
	YCSBJSON Format = "ycsb-json" // its JSON, an object a line
)

// LoadFormats returns the formats of load runs in the order in which help texts
// list them.
func LoadFormats() []Format { return []Format{Text, JSONL, JSON, CSV, Markdown, YCSB, YCSBJSON} }

// ParseLoadFormat returns the format of that name.
func ParseLoadFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(LoadFormats(), f) {
		return f, nil
	}
	if f := Format(name); slices.Contains(Formats(), f) {
		return "", errNoLoad(f)
	}
	names := make([]string, len(LoadFormats()))
	for i, f := range LoadFormats() {
		names[i] = string(f)
	}
	return "", fmt.Errorf("unknown format %q: want one of %s", name, strings.Join(names, ", "))
}

func errNoLoad(f Format) error {
	return fmt.Errorf("%s holds samples of benchmarks, and a load run is one sample of many latencies: use json, csv or ycsb", f)
}

// errNotLoad is the error for a format that only load runs have.
var errNotLoad = errors.New("ycsb is a format of load runs, and this is none")

// writeLoad writes a load run.
func writeLoad(w *bytes.Buffer, f Format, s *result.Result, o Options) error {
	switch f {
	case Text:
		writeLoadText(w, s, o)
	case Markdown:
		writeLoadMarkdown(w, s, o)
	case JSON:
		return writeJSON(w, s)
	case CSV:
		return writeLoadCSV(w, s)
	case YCSB:
		return writeYCSB(w, s)
	case YCSBJSON:
		return writeYCSBJSON(w, s)
	case Benchfmt, JMH:
		return errNoLoad(f)
	case JSONL:
		return errJSONL
	default:
		_, err := ParseLoadFormat(string(f))
		return err
	}
	return nil
}

// loadText is a text about a load run being written.
type loadText struct {
	*textReport
	s *result.Result
	c *record.LoadConfig
}

func newLoadText(b *bytes.Buffer, s *result.Result, o Options) *loadText {
	t := &textReport{page: &page{glyphs: newGlyphs(o.UTF8)}, b: b, n: termtext.Columns(o.Width), color: o.Color}
	return &loadText{textReport: t, s: s, c: loadConfig(s)}
}

func loadConfig(s *result.Result) *record.LoadConfig {
	if s.Run == nil || s.Run.Config.Load == nil {
		return &record.LoadConfig{}
	}
	return s.Run.Config.Load
}

func writeLoadText(b *bytes.Buffer, s *result.Result, o Options) {
	t := newLoadText(b, s, o)
	t.head()
	switch {
	case len(s.Steps) > 0:
		t.steps(o.Verbose)
	case s.Load == nil:
		t.print(termtext.Normal, "nothing was measured", "")
	default:
		t.run(o.Verbose)
	}
	t.foot()
}

// head says where, what and how was loaded, and what came before.
func (t *loadText) head() {
	lines := t.join(t.loadHeader(t.s), t.n)
	t.print(termtext.Dim, lines...)
	for _, note := range t.c.Notes {
		t.print(termtext.Yellow, t.doubt("note:", result.Warning{Text: note}, t.n)...)
	}
	const before = "before: "
	var items []string
	for i := range t.s.Phases {
		items = append(items, t.phase(&t.s.Phases[i]))
	}
	if len(t.s.Steps) == 0 { // each step has a warm-up of its own
		t.hung(termtext.Dim, before, t.join(items, t.n-len(before)))
	}
	if len(lines) > 0 {
		t.print(termtext.Normal, "")
	}
}

// phase is what a phase before the run came to.
func (g glyphs) phase(l *result.Load) string {
	var text string
	switch l.Phase {
	case record.LoadInsert:
		text = l.Verdict
	case record.LoadWarmup:
		text = fmt.Sprintf("warm-up of %s, %s, in no figure", g.cost(float64(l.Wall)), result.Rate(l.Achieved))
	default:
		text = g.Text(l.Phase) + ": " + l.Verdict
	}
	if l.Errors > 0 {
		text += fmt.Sprintf(", %s", plural(int(l.Errors), "error"))
	}
	if l.Partial {
		text += ", cut off"
	}
	return text
}

// loadHeader says where and how was measured, one item each.
func (g glyphs) loadHeader(s *result.Result) []string {
	run, c := s.Run, loadConfig(s)
	if run == nil {
		return nil
	}
	var items []string
	add := func(when bool, format string, args ...any) {
		if when {
			items = append(items, g.Text(fmt.Sprintf(format, args...)))
		}
	}
	add(run.Env.OS != "", "%s", strings.Trim(run.Env.OS+"/"+run.Env.Arch, "/"))
	add(machine(run.Env) != "", "%s", machine(run.Env))
	add(run.Env.Go != "", "%s", run.Env.Go)
	name := c.Name
	if name == "" {
		name = c.DB
	}
	add(name != "", "%s", name)
	add(c.Workload != "", "workload %s", c.Workload)
	add(c.Records > 0, "%s", plural(int(c.Records), "record"))
	add(c.Arrivals != "", "%s", c.Arrivals)
	switch {
	case c.Auto > 0:
		add(true, "%d to %s", c.Workers, plural(c.Auto, "worker"))
	case c.Workers > 0:
		add(true, "%s", plural(c.Workers, "worker"))
	}
	add(c.OnLate != "" && c.OnLate != "catch-up", "late ones: %s", c.OnLate)
	add(c.Pace != "" && c.Pace != "hybrid" && len(c.Arrivals) > 0 && c.Arrivals != closedLoop, "pace %s", c.Pace)
	add(c.Duration > 0, "%s", duration(c.Duration))
	add(c.Operations == 1, "1 operation")
	add(c.Operations > 1, "%s operations", group(fmt.Sprint(c.Operations)))
	add(true, "seed %s", run.Seed)
	return items
}

// closedLoop is what a record says of a run without a schedule.
const closedLoop = "closed loop"

// run prints a run that is no search and no sweep.
func (t *loadText) run(verbose bool) {
	l := t.s.Load
	t.print(loadStyle(l), termtext.Wrap(t.Text(l.Verdict)+".", t.n)...)
	t.print(termtext.Normal, "")
	t.latencies(t.s.Latencies, verbose)
	t.counts(l)
	t.errors(l.Classes, l.First)
	t.objectives(t.s.Objectives)
}

func loadStyle(l *result.Load) termtext.Style {
	if l.Missed {
		return termtext.Red
	}
	return termtext.Normal
}

// counts says what became of everything that was due.
func (t *loadText) counts(l *result.Load) {
	if l.Unsent > 0 {
		t.print(termtext.Yellow, termtext.Wrap(fmt.Sprintf("unsent: %s (oldest %s): percentiles cover started operations only", group(fmt.Sprint(l.Unsent)), t.latency(l.UnsentOldest)), t.n)...)
	}
	var items []string
	if !l.ClosedLoop {
		items = append(items, "dropped "+group(fmt.Sprint(l.Dropped)))
	}
	items = append(items, t.unfinished(l), "errors "+group(fmt.Sprint(l.Errors)))
	if n := l.NotFound(); n > 0 {
		items = append(items, "not found "+group(fmt.Sprint(n))+" (no error)")
	}
	if l.BacklogMax > 0 {
		items = append(items, "longest backlog "+group(fmt.Sprint(l.BacklogMax)))
	}
	if t.c.Auto > 0 {
		items = append(items, plural(l.Workers, "worker")+" in the end")
	}
	t.print(termtext.Normal, t.join(items, t.n)...)
}

func (t *loadText) unfinished(l *result.Load) string {
	text := "unfinished " + group(fmt.Sprint(l.Unfinished))
	if l.UnfinishedOldest > int64(time.Second) {
		text += fmt.Sprintf(" (oldest %s)", t.latency(l.UnfinishedOldest))
	}
	return text
}

// errors prints each class with its first error.
func (t *loadText) errors(classes map[string]int64, first map[string]string) {
	tb := table{columns: []column{{}, {gap: 2, kind: ends}}, blocks: make([]tableBlock, 1)}
	for _, class := range errorClasses(classes) {
		l := tableLine{cells: []cell{{text: "  " + t.Text(class)}, {text: group(fmt.Sprint(classes[class]))}}}
		if text := first[class]; text != "" {
			l.rest = "first: " + t.Text(text)
		}
		tb.blocks[0].lines = append(tb.blocks[0].lines, l)
	}
	if len(tb.blocks[0].lines) > 0 {
		t.print(termtext.Normal, tb.render(t.glyphs, tb.layout(), t.n, t.color)[1:]...) // without a line of titles
	}
}

// errorClasses are those that are failures, the frequent ones first.
func errorClasses(classes map[string]int64) []string {
	var out []string
	for class, n := range classes {
		if class != "not_found" && n > 0 {
			out = append(out, class)
		}
	}
	slices.SortFunc(out, func(x, y string) int {
		if d := classes[y] - classes[x]; d != 0 {
			return int(max(min(d, 1), -1))
		}
		return strings.Compare(x, y)
	})
	return out
}

// objectives prints what became of them.
func (t *loadText) objectives(os []result.Outcome) {
	for _, o := range os {
		st, word := termtext.Green, "met"
		if !o.Met {
			st, word = termtext.Red, "missed"
		}
		t.hung(st, "slo: ", termtext.Wrap(fmt.Sprintf("%s %s: %s", t.Text(o.Objective), word, t.Text(o.Text)), t.n-5))
	}
}

// foot prints what the tool weighs, the doubts, and how to repeat the run.
func (t *loadText) foot() {
	const tare, partial, repeat = "tare: ", "partial: ", "repeat: "
	t.hung(termtext.Dim, tare, t.join(t.weight(t.s), t.n-termtext.Width(tare)))
	for _, w := range t.s.Warnings {
		t.print(termtext.Yellow, t.doubt("warning:", w, t.n)...)
	}
	for i, w := range t.notes.brief(t.mark) {
		t.print(termtext.Yellow, t.doubt(t.mark(i+1), w, t.n)...)
	}
	t.hung(termtext.Red, partial, termtext.Wrap(t.partial(t.s), t.n-termtext.Width(partial)))
	t.hung(termtext.Dim, repeat, t.command(repeatArgs(t.s.Run), t.n-termtext.Width(repeat)))
}

// leastWall is the time below which the processor time of a run is not told: the
// kernel counts it in ticks of some milliseconds.
const leastWall = int64(100 * time.Millisecond)

// weight says what tare itself is to blame for.
func (g glyphs) weight(s *result.Result) []string {
	var items []string
	c := loadConfig(s)
	if x := s.Tare.Clock; x > 0 {
		text := "clock " + g.cost(x)
		if c.Clock != "" {
			text += " (" + g.Text(c.Clock) + ")"
		}
		items = append(items, text)
	}
	if l := s.Load; l != nil {
		if !l.ClosedLoop {
			items = append(items, g.lateness(s))
		}
		if l.Wall >= leastWall {
			items = append(items, fmt.Sprintf("generator CPU %.2f cores", l.Cores))
		}
	}
	return append(items, g.tare(record.Tare{Steal: s.Tare.Steal, Load: s.Tare.Load}, false)...)
}

// fewLate is how many operations must have been waited for to say nothing of it.
const fewLate = 100

// lateness is how late operations were sent although a worker waited for them.
func (g glyphs) lateness(s *result.Result) string {
	worst := s.Load.Lateness
	if worst == nil && s.Load.Operations == s.Load.Errors {
		return "lateness not measured (no operation succeeded)"
	}
	if worst == nil {
		return "lateness not measured (no worker was ever idle at due)"
	}
	text := fmt.Sprintf("lateness p50 %s, p99 %s", g.latency(worst.P50), g.latency(worst.P99))
	if worst.Count < fewLate {
		text += " (of " + plural(int(worst.Count), "operation") + " for which a worker waited)"
	}
	return text
}
