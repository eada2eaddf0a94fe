package plan

import (
	"context"
	"time"
)

// awaitBlock waits until a round's block is due, in a run that is spread over a time. Blocks begin at equal distances;
// one that is late begins at once. A run that is resumed goes on with the block at which it was.
func (m *measuring) awaitBlock(ctx context.Context, round int) error {
	if m.Config.Spread <= 0 || m.roundTime(m.Cases, round) == 0 {
		return nil
	}
	block := m.Config.Block(round)
	if m.firstBlock == 0 {
		m.firstBlock = block
	}
	due := m.start.Add(m.Config.Spread * time.Duration(block-m.firstBlock) / time.Duration(m.Config.Blocks()))
	left := time.Until(due)
	if left <= 0 {
		return nil
	}
	if m.Waiting != nil {
		m.Waiting(block, due)
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-m.quit:
	case <-ctx.Done():
	}
	return ErrInterrupted
}

// spread returns the time over which the remaining rounds are spread.
func (p *Plan) spread() time.Duration {
	if p.Config.Spread <= 0 {
		return 0
	}
	for round := 1; round <= p.rounds(); round++ {
		for _, c := range p.Cases {
			if !p.done(c, round) {
				left := p.Config.Blocks() - p.Config.Block(round) + 1
				return p.Config.Spread * time.Duration(left) / time.Duration(p.Config.Blocks())
			}
		}
	}
	return 0
}
