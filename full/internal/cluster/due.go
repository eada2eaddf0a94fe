package cluster

import (
	"time"

	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/load"
)

// A dueCount counts how many operations of the schedule were due for each agent.
type dueCount struct {
	schedule *pace.Schedule
	at       time.Duration // of the next operation …
	next     uint64        // … and its number
	more     bool
	spans    []span
	counts   []int64 // by place
}

// newDueCount returns nil for a closed loop, which has no schedule.
func newDueCount(c load.Config, owners []int, agents int) (*dueCount, error) {
	if c.Schedule.String() == (load.Schedule{}).String() {
		return nil, nil
	}
	s, err := pace.New(paceOf(c))
	if err != nil {
		return nil, err
	}
	d := &dueCount{schedule: s, spans: []span{{0, owners}}, counts: make([]int64, agents)}
	d.claim()
	return d, nil
}

func (d *dueCount) claim() { d.next, d.at, d.more = d.schedule.Claim() }

// to counts what is due before a time from the start.
func (d *dueCount) to(t time.Duration) {
	for d.more && d.at < t {
		for len(d.spans) > 1 && d.spans[1].From <= d.next {
			d.spans = d.spans[1:]
		}
		owners := d.spans[0].Owners
		d.counts[owners[d.next%uint64(len(owners))]]++
		d.claim()
	}
}

// total returns how many operations were due in all.
func (d *dueCount) total() (n int64) {
	for _, c := range d.counts {
		n += c
	}
	return n
}

// reassign gives operations from a number on to other agents.
func (d *dueCount) reassign(s span) { d.spans = append(d.spans, s) }

// firstFree returns the number of the first operation that can have other owners: it is due at the time safe from the start,
// or later, and some time after the last of those that agents have decided. ok is false if there is none.
func firstFree(c load.Config, decided uint64, safe, margin time.Duration) (k uint64, ok bool) {
	s, err := pace.New(paceOf(c))
	if err != nil {
		return 0, false
	}
	at := time.Duration(0)
	for k, at, ok = s.Claim(); ok && k < decided; k, at, ok = s.Claim() {
	}
	if !ok {
		return 0, false
	}
	s.Skip(max(safe, at+margin))
	k, _, ok = s.Claim()
	return k, ok
}
