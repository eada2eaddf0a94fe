package calls

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
)

// event is one of the Trace Event Format's JSON, which Perfetto and chrome://tracing
// open: "X" for a call with a length, "B" for one that had not ended, "i" for one that was
// not timed, "M" for names. Times are in µs.
type event struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"`
	Begin micros         `json:"ts"`
	Dur   *micros        `json:"dur,omitempty"`
	Pid   int            `json:"pid"`
	Tid   int64          `json:"tid"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// micros are ns, written as µs.
type micros int64

func (m micros) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%03d", int64(m)/1000, int64(m)%1000), nil
}

// lane is a goroutine's calls in the order of their begin.
type lane struct {
	goroutine int64
	steps     []int // of the path
}

// Events writes the execution path as JSON in the Trace Event Format, a lane for each
// goroutine. Calls lie within those that they were made in: an end that the rounding
// to whole ns puts behind its caller's is cut. The same record gives the same bytes.
func (c *Calls) Events(w io.Writer) error {
	t := c.t
	out := []event{{Name: "process_name", Phase: "M", Pid: 1, Args: map[string]any{"name": cmp.Or(t.Binary, "program")}}}
	first := 0.0
	for _, s := range t.Path {
		first = min(first, s.Begin) // another processor's counter may be a little behind
	}
	for n, l := range c.lanes() {
		out = append(out,
			event{Name: "thread_name", Phase: "M", Pid: 1, Tid: l.goroutine, Args: map[string]any{"name": "goroutine " + strconv.FormatInt(l.goroutine, 10)}},
			event{Name: "thread_sort_index", Phase: "M", Pid: 1, Tid: l.goroutine, Args: map[string]any{"sort_index": n}})
		out = c.nested(out, l, first)
	}
	var b bytes.Buffer
	b.WriteString("{\"traceEvents\":[\n")
	e := termtext.NewJSON(&b, "")
	for i := range out {
		if i > 0 {
			b.Truncate(b.Len() - 1)
			b.WriteString(",\n")
		}
		if err := e.Encode(&out[i]); err != nil {
			return fmt.Errorf("calls: events: %w", err)
		}
	}
	fmt.Fprintf(&b, "],\"displayTimeUnit\":\"ns\",\"otherData\":{\"path_dropped\":%d}}\n", t.PathMore)
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("calls: events: %w", err)
	}
	return nil
}

// lanes returns the goroutines of the path, in the order in which they come.
func (c *Calls) lanes() []lane {
	var out []lane
	at := map[int64]int{}
	for i, s := range c.t.Path {
		n, ok := at[s.Goroutine]
		if !ok {
			n = len(out)
			at[s.Goroutine] = n
			out = append(out, lane{goroutine: s.Goroutine})
		}
		out[n].steps = append(out[n].steps, i)
	}
	for _, l := range out {
		slices.SortStableFunc(l.steps, func(a, b int) int { return cmp.Compare(c.t.Path[a].Begin, c.t.Path[b].Begin) })
	}
	return out
}

// nested adds the events of a lane, none of which ends behind one that it is within.
func (c *Calls) nested(out []event, l lane, first float64) []event {
	var ends []int64 // of calls under way, the innermost last
	for _, i := range l.steps {
		s := c.t.Path[i]
		begin := whole(s.Begin - first)
		for len(ends) > 0 && ends[len(ends)-1] <= begin {
			ends = ends[:len(ends)-1]
		}
		e := event{Name: c.t.Funcs[s.Func].Name, Begin: micros(begin), Pid: 1, Tid: l.goroutine}
		switch {
		case s.Length < 0 && c.t.Mode == record.TraceEvery:
			e.Phase, e.Scope = "i", "t"
		case s.Length < 0:
			e.Phase = "B"
			ends = append(ends, math.MaxInt64)
		default:
			end := max(begin, whole(s.Begin-first+s.Length))
			if len(ends) > 0 {
				end = min(end, ends[len(ends)-1])
			}
			ends = append(ends, end)
			dur := micros(end - begin)
			e.Phase, e.Dur = "X", &dur
		}
		out = append(out, e)
	}
	return out
}
