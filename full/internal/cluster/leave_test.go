package cluster

import (
	"testing"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// TestLeave: what an agent that is gone had not sent, or has no known answer, is lost with it. It is neither a backlog nor a
// latency of the system.
func TestLeave(t *testing.T) {
	p := &phaseRun{config: load.Config{Phase: record.LoadRun}}
	gone := &member{remote: &remote{lost: true}, place: 0, inbox: newInbox()}
	there := &member{remote: &remote{}, place: 1, inbox: newInbox()}
	p.agents = []*member{gone, there}
	counted := record.Load{Scheduled: 100, Started: 80, Completed: 75, Unfinished: 5, Unsent: 20}
	out := p.withoutOthers([]record.Load{counted, counted})
	if l := out[0]; l.Lost != 25 || l.Started != 75 || l.Unsent != 0 || l.Unfinished != 0 || l.Scheduled != 100 {
		t.Errorf("of the one that is gone: %+v", l)
	}
	if l := out[1]; l.Lost != 0 || l.Started != 80 || l.Unsent != 20 || l.Unfinished != 5 {
		t.Errorf("of the one that is there: %+v", l)
	}
	if sum := sumLoads(out); sum.Scheduled != sum.Started+sum.Dropped+sum.Unsent+sum.Lost {
		t.Errorf("the sum: %+v", sum)
	}
}
