package bisectrun

import (
	"fmt"

	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// outcome is a fork: its samples, or why it failed.
type outcome struct {
	samples   []*record.Sample
	failed    string
	disturbed bool
}

// past is what the record of an earlier run holds.
type past struct {
	plan.Measured
	head    *record.Bisect // the first one: what was searched
	last    *record.Bisect
	forks   map[string][]outcome // by side, in order
	samples map[int][]*record.Sample
	sides   map[int]string // of cases
}

func (p *past) add(line record.Line) {
	p.Measured.Add(line)
	switch l := line.(type) {
	case *record.Bisect:
		if p.head == nil {
			p.head = l
		}
		p.last = l
	case *record.Case:
		p.sides[l.ID] = l.Side
	case *record.Sample:
		p.samples[l.Fork] = append(p.samples[l.Fork], l)
	case *record.Fork:
		if l.Purpose != record.PurposeTiming {
			return
		}
		o := outcome{samples: p.samples[l.ID], disturbed: l.Starved}
		if l.State != record.StateOK {
			o.failed = l.Why
		}
		side := p.sides[l.Case]
		p.forks[side] = append(p.forks[side], o)
		delete(p.samples, l.ID)
	}
}

// resume reads the record of an earlier run into the configuration. check refuses a file by its first line.
func resume(c *Config, path string, check func(path string, first record.Line, err error) error) (*past, error) {
	rec, err := session.ResumeRecorder(path, check)
	if err != nil {
		return nil, err
	}
	p := &past{forks: map[string][]outcome{}, samples: map[int][]*record.Sample{}, sides: map[int]string{}}
	cut, err := rec.Replay(p.add)
	if err != nil {
		return nil, err
	}
	if cut > 0 {
		c.Progress.Note("%s: its last line was cut off after %d bytes and does not count", rec.Path(), cut)
	}
	e := &benchrun.Earlier{Recorder: rec, Measured: p.Measured}
	if !p.Planned || p.head == nil || len(p.Run.Sides) < 2 {
		return nil, fmt.Errorf("%s: was cut off before the first fork", path)
	}
	if err := e.RestoreSecrets(path, c.Run.Config.Setenv); err != nil {
		return nil, err
	}
	budget := c.Run.Config.Budget // of what is left
	c.Earlier, c.Run = e, *e.Run
	c.Run.Config.Budget = budget
	c.Metric = p.head.Metric
	c.Good, c.Bad = c.Run.Sides[0].Revision, c.Run.Sides[len(c.Run.Sides)-1].Revision
	return p, nil
}
