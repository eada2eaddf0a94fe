package loadrun

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// window measures one window of a side, and writes its lines if it was measured whole. Both windows of a pair send the
// same operations.
func (r *Runner) window(ctx context.Context, x *running, w record.LoadWindow) error {
	c := r.plan.Run
	c.Phase, c.Duration, c.Operations, c.Status = record.LoadRun, r.plan.sides.window, 0, nil
	c.First = uint64(w.Pair) << 32
	c.Seed += uint64(w.Pair)
	c.Interval = c.Duration + c.Drain + r.plan.sides.window // one for all of it
	if c.AutoWorkers {
		c.Workers = min(max(c.Workers, x.keep.most), c.MaxOutstanding)
	}
	var lines []record.Line
	x.marks.Begin()
	defer x.marks.End()
	total, err := load.Run(ctx, x.keep, c, func(l record.Line) error {
		lines = append(lines, l)
		if i, ok := l.(*record.Load); ok && !i.Final {
			lines = append(lines, markLine(x.marks, i))
		}
		return nil
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && !errors.Is(err, load.ErrMaxErrors) {
		return x.failed(ctx, err)
	}
	if x.died() != nil {
		return errServerDied
	}
	for _, l := range windowLines(lines, w) {
		if err := r.out.Write(l); err != nil {
			return err
		}
	}
	if err := r.writeFirsts(x, total); err != nil {
		return err
	}
	return r.out.err
}

// errServerDied ends the run. The reason comes from [running.close].
var errServerDied = errors.New("a server ended")

// windowLines marks the latencies and counts of a phase as those of a window. It leaves out warnings, which each window would
// repeat.
func windowLines(lines []record.Line, w record.LoadWindow) []record.Line {
	var out []record.Line
	for _, l := range lines {
		switch l := l.(type) {
		case *record.Load:
			x := *l
			x.Window = &w
			out = append(out, &x)
		case *record.Marks:
			x := *l
			x.Window = &w
			out = append(out, &x)
		case *record.Hist:
			out = append(out, l)
		}
	}
	return out
}

// writeFirsts writes the first error of each class of a side.
func (r *Runner) writeFirsts(x *running, total *load.Interval) error {
	for class, text := range total.First {
		if slices.Contains(r.reported, x.side.Name+class) {
			continue
		}
		r.reported = append(r.reported, x.side.Name+class)
		w := diagnosis.Warn(diagnosis.FirstError, diagnosis.Facts{"class": class, "side": x.side.Name, "error": r.plan.Redact(text)})
		if err := r.out.Write(w); err != nil {
			return err
		}
	}
	return nil
}

// writeSidesHead writes the head of the record.
func (r *Runner) writeSidesHead(ctx context.Context, s *system) error {
	if err := r.writeHead(s); err != nil {
		return err
	}
	if err := r.warmUpHarness(ctx, s); err != nil {
		return err
	}
	return nil
}

// recordSides returns the sides as the header has them.
func (p *Plan) recordSides() []record.Side {
	if !p.sides.compares() {
		return nil
	}
	var out []record.Side
	for _, x := range p.sides.sides {
		y := x.Side
		if x.url != "" {
			y.URL = p.Redact(load.Redact("url", x.url))
		}
		if x.words != nil {
			y.Command = p.Redact(shellwords.Join(x.words))
		}
		out = append(out, y)
	}
	return out
}

// pairText returns the comparison so far, for progress.
func (r *Runner) pairText() string {
	for _, c := range r.Result().Comparisons {
		if c.Unit == "ns" && c.Lo > 0 {
			return fmt.Sprintf("%s %s against %s, ratio %s (%s … %s)", c.Name, units.Time(int64(c.New)), units.Time(int64(c.Old)), units.Fixed(float64(c.Ratio), 3), units.Fixed(float64(c.Lo), 3), units.Fixed(float64(c.Hi), 3))
		}
	}
	return ""
}
