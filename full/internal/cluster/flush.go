package cluster

import (
	"fmt"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// flush writes the intervals that are whole.
func (p *phaseRun) flush() error {
	p.k.mu.Lock()
	var due []*load.Interval
	var lines [][]record.Line
	now := time.Now()
	for _, m := range p.agents {
		p.skipGap(m, now)
	}
	s := &p.sum
	for s.written < s.reached() && s.whole(s.written+1) {
		i, l, err := s.take()
		if err != nil {
			p.k.mu.Unlock()
			return err
		}
		due, lines = append(due, i), append(lines, l)
	}
	p.k.mu.Unlock()
	for n, i := range due {
		if err := p.write(lines[n]...); err != nil {
			return err
		}
		p.status(i)
	}
	if n := p.config.MaxErrors; n > 0 && failed(&s.before) >= n {
		return fmt.Errorf("%w: %d", load.ErrMaxErrors, failed(&s.before))
	}
	return nil
}

func failed(l *record.Load) (n int64) {
	for class, count := range l.Errors {
		if class != load.ClassNotFound {
			n += count
		}
	}
	return n
}

func (p *phaseRun) write(lines ...record.Line) error {
	if p.sink == nil {
		return nil
	}
	for _, l := range lines {
		if err := p.sink(l); err != nil {
			return err
		}
	}
	return nil
}

func (p *phaseRun) status(i *load.Interval) {
	if p.config.Status != nil {
		p.config.Status(i)
	}
}
