package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/record"
)

// An inbox puts the batches of one agent in their order.
type inbox struct {
	waiting map[int]*batch // that came before an earlier one
	next    int            // number of the next batch
	upTo    int            // the interval that its batches reach
	done    *done          // its last batch came
	gapAt   time.Time      // when one was first missing while the agent had delivered everything
	came    time.Time      // the last batch
	stuckAt time.Time      // since when it has something to deliver

	latest    record.Load // counts as of the last batch; times by the controller's clock
	final     *record.Load
	values    map[string]int64 // by kind and tag
	delivered int              // intervals
	late      int              // that came after theirs was written
	missing   int              // that never came
}

func newInbox() inbox { return inbox{waiting: map[int]*batch{}, next: 1, values: map[string]int64{}} }

// maxWaiting limits how far batches come ahead of a missing one.
const maxWaiting = 100_000

// errGarbage is the reason to drop a message.
var errGarbage = errors.New("it is not understood")

// data takes a delivered message. It never has one come again: what is not understood will not be.
func (k *Controller) data(m Message) error {
	_, id, _ := strings.Cut(m.Subject, subjectData)
	k.mu.Lock()
	defer k.mu.Unlock()
	defer k.wake()
	parts := k.parts[id]
	if parts == nil {
		if k.byID[id] == nil {
			k.garbage++ // of an agent of another run
			return nil
		}
		parts = &assembler{}
		k.parts[id] = parts
	}
	whole, err := parts.add(m.Data)
	if err != nil {
		k.garbage++
		return nil
	}
	if whole == nil {
		return nil
	}
	var b batch
	if json.Unmarshal(whole, &b) != nil || b.Seq < 1 {
		k.garbage++
		return nil
	}
	r := k.byID[id]
	r.lastMessage = time.Now()
	if k.gathers != nil {
		k.gathers.take(r, &b)
		return nil
	}
	if p := k.phase; p != nil && b.Run == k.Name && b.Phase == p.number {
		if m := p.memberOf(r); m != nil {
			if err := p.take(m, &b); err != nil {
				k.garbage++
				k.noteOnce(fmt.Sprintf("agent %s: a message was dropped: %v", r.Name, err))
			}
		}
	}
	return nil
}

// take takes a batch, and those that waited for it. One that came before is dropped.
func (p *phaseRun) take(m *member, b *batch) error {
	if b.Seq < m.next || m.waiting[b.Seq] != nil || m.done != nil {
		return nil
	}
	if b.Seq > m.next+maxWaiting {
		return errGarbage
	}
	m.waiting[b.Seq], m.came = b, time.Now()
	return p.takeWaiting(m)
}

func (p *phaseRun) takeWaiting(m *member) error {
	for {
		b := m.waiting[m.next]
		if b == nil {
			return nil
		}
		delete(m.waiting, m.next)
		m.next++
		m.gapAt = time.Time{}
		if err := p.sum.add(m, b); err != nil {
			return err
		}
	}
}

// skipGap goes on without batches that will not come: the agent has delivered everything, and later ones are here.
func (p *phaseRun) skipGap(m *member, now time.Time) {
	if len(m.waiting) == 0 || m.done != nil || m.last.Phase != p.number || m.last.State != stateDone {
		m.gapAt = time.Time{}
		return
	}
	switch {
	case m.gapAt.IsZero():
		m.gapAt = now
	case now.Sub(m.gapAt) > p.k.Timing.Lost:
		for m.waiting[m.next] == nil {
			m.next++
			m.missing++
		}
		p.takeWaiting(m)
	}
}
