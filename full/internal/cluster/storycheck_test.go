package cluster_test

import (
	"testing"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// runLines is what the lines of a run say.
type runLines struct {
	whole  *record.Load
	agents map[string]*record.Agent
	counts int64 // values of service times
}

// read reads the lines of a run, and checks what holds in each.
func (s *story) read(t *testing.T, lines []record.Line) *runLines {
	f := &runLines{agents: map[string]*record.Agent{}}
	for _, l := range lines {
		switch l := l.(type) {
		case *record.Load:
			if l.Final {
				f.whole = l
			}
			if l.Scheduled != l.Started+l.Dropped+l.Unsent+l.Lost || l.Started != l.Completed+l.Unfinished || min(l.Unsent, l.Lost, l.Unfinished) < 0 {
				t.Errorf("counts that do not add up: %+v", l)
			}
		case *record.Agent:
			if l.Scheduled != l.Started+l.Dropped+l.Unsent+l.Lost || l.Started != l.Completed+l.Unfinished || min(l.Unsent, l.Lost, l.Unfinished) < 0 {
				t.Errorf("counts of an agent that do not add up: %+v", l)
			}
			f.agents[l.Name] = l
		case *record.Hist:
			h, err := hist.Decode(l.Data)
			if err != nil {
				t.Fatal(err)
			}
			if l.Tag == record.TagService {
				f.counts += h.Count()
			}
		}
	}
	return f
}

func (s *story) check(t *testing.T, whole *load.Interval, lines []record.Line, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := uint64(scheduled(t, s.config))
	for k, times := range s.seen {
		if times > 1 || k >= n {
			t.Errorf("operation %d of %d was sent %d times", k, n, times)
		}
	}
	f := s.read(t, lines)
	agents, counts := f.agents, f.counts
	if whole == nil {
		if err == nil {
			t.Error("no result and no error")
		}
		return
	}
	done, sum := 0, record.Load{}
	for _, a := range agents {
		if a.State == record.AgentDone && a.Missing == 0 {
			done++
		}
		sum.Scheduled, sum.Started, sum.Completed, sum.Lost = sum.Scheduled+a.Scheduled, sum.Started+a.Started, sum.Completed+a.Completed, sum.Lost+a.Lost
	}
	if sum.Scheduled != whole.Scheduled || sum.Started != whole.Started || sum.Completed != whole.Completed || sum.Lost != whole.Lost {
		t.Errorf("agents have %d, %d, %d, %d in all, the run %+v", sum.Scheduled, sum.Started, sum.Completed, sum.Lost, whole.Load)
	}
	seen := int64(len(s.seen))
	if err == nil && whole.Scheduled != int64(n) {
		t.Errorf("%d scheduled, the schedule has %d", whole.Scheduled, n)
	}
	if whole.Completed > seen {
		t.Errorf("%d completed, %d sent", whole.Completed, seen)
	}
	if err == nil && int64(n)-seen > whole.Unsent+whole.Lost+whole.Unfinished {
		t.Errorf("%d were not sent, more than %d unsent + %d lost + %d unfinished", int64(n)-seen, whole.Unsent, whole.Lost, whole.Unfinished)
	}
	if done == s.agents {
		if counts != whole.Completed || err == nil && (whole.Completed != int64(n) || seen != int64(n)) {
			t.Errorf("all agents are done: %d values, %d completed, %d seen, %d scheduled: %v", counts, whole.Completed, seen, n, err)
		}
	}
	if !s.disturbs && s.faults.Loss < 0.15 && err != nil {
		t.Errorf("nothing happened, and the run failed: %v", err)
	}
	if err != nil && s.policy == cluster.LossContinue && done > 0 {
		t.Errorf("%d agents sent to the end, and the run failed: %v", done, err)
	}
	if t.Failed() {
		t.Logf("%d seen of %d, error %v: %+v", seen, n, err, whole.Load)
		for _, a := range agents {
			t.Logf("%+v", a)
		}
	}
}

// checkGathered checks what was gathered of a run: all that its agents have sent.
func (s *story) checkGathered(t *testing.T, lines []record.Line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.read(t, lines)
	for k, times := range s.seen {
		if times > 1 {
			t.Errorf("operation %d was sent %d times", k, times)
		}
	}
	if f.whole == nil {
		t.Fatalf("nothing was gathered of %d operations", len(s.seen))
	}
	seen := int64(len(s.seen))
	if f.whole.Completed > seen || f.whole.Started+f.whole.Lost < seen || f.counts != f.whole.Completed {
		t.Errorf("%d were sent, %d values: %+v", seen, f.counts, f.whole)
	}
	if len(f.agents) != s.agents {
		t.Errorf("%d of %d agents have a line", len(f.agents), s.agents)
	}
}
