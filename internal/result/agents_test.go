package result

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/record"
)

// TestAgents: three agents without problems give a summary without warnings. The warm-up is summarized separately.
func TestAgents(t *testing.T) {
	s := summaryOf(t, "agents")
	if len(s.Agents) != 2 || s.Agents[0].Phase != record.LoadWarmup || s.Agents[1] != s.Load.Agents {
		t.Fatalf("%+v", s.Agents)
	}
	a := s.Load.Agents
	if len(a.Agents) != 3 || a.Intervals != 10 || a.Fewer != 0 || a.Missing != 0 || a.ClockError != 85_000 || a.StartSpread != 70_000 || a.Differ {
		t.Errorf("%+v", a)
	}
	for i, share := range []float64{0.25, 0.5, 0.25} {
		if x := &a.Agents[i]; x.Share != share || x.Suspect != "" || x.Ended != 0 {
			t.Errorf("%+v", x)
		}
	}
	if len(s.Warnings) > 0 || s.Load.Missed || s.Load.Verdict != "target 600/s, achieved 600/s" {
		t.Errorf("%q, %+v", s.Load.Verdict, s.Warnings)
	}
	for _, o := range s.Objectives {
		if !o.Met {
			t.Errorf("%+v", o)
		}
	}
}

// TestAgentLost: operations that were scheduled on a lost agent do not count as errors of the system. An objective that
// depends on them is undecided, and the other objectives are decided.
func TestAgentLost(t *testing.T) {
	s := summaryOf(t, "agents-lost")
	l := s.Load
	const loss = "1800 operations (30 %) were due for agents that were lost (load-2 after 4.3 s): they were not sent, or what became of them is not known"
	const warning = "agent load-2 was lost after 4.3 s (no sign of life for 2s): 1800 operations (30 %) were due for it"
	if l.Lost != 1800 || l.Missed || l.Errors > 0 || l.Verdict != "target 600/s, achieved 420/s; "+loss {
		t.Errorf("%+v", l)
	}
	if a := l.Agents; a.Fewer != 6 || a.Least != 2 || a.Differ || len(a.Agents) != 3 {
		t.Errorf("%+v", l.Agents)
	}
	if got := Codes(s.Warnings); !slices.Equal(got, []string{diagnosis.AgentLost, diagnosis.FewerAgents}) || s.Warnings[0].Text != warning {
		t.Errorf("%+v", s.Warnings)
	}
	for i, want := range []bool{true, true, true} { // each would be missed if all of the lost had gone wrong, or met if they had gone well
		if o := s.Objectives[i]; o.Met || o.Undecided != want || !strings.Contains(o.Text, "1800 operations that were due for lost agents decide it") {
			t.Errorf("%+v", o)
		}
	}
}

// TestNoisyAgent: warnings name the agent whose machine was disturbed, and the intervals that are missing.
func TestNoisyAgent(t *testing.T) {
	s := summaryOf(t, "agents-noisy")
	if got := Codes(s.Warnings); !slices.Equal(got, []string{diagnosis.AgentMachine, diagnosis.MissingIntervals, diagnosis.FewerAgents, diagnosis.ClocksApart, diagnosis.StartsApart, diagnosis.NotResolvable}) {
		t.Fatalf("%+v", s.Warnings)
	}
	for i, want := range []string{
		"agent load-1: 3.7 of its 4 cores were in use by agents, and operations began up to 17.9 ms late (p99) there, on the others 88.8 µs",
		"2 intervals never came, of load-1 (2): the latencies in them are in no percentile",
		"2 of 10 intervals have figures of fewer than 3 agents; the fewest are 2",
		"the clocks of the agents are known only to ± 70.0 ms",
		"the last began 210 ms after the first",
	} {
		if !strings.Contains(s.Warnings[i].Text, want) {
			t.Errorf("%s\nwant in it %s", s.Warnings[i].Text, want)
		}
	}
}

// TestLostDecides: an objective is undecided only if its outcome depends on the operations of lost agents.
func TestLostDecides(t *testing.T) {
	for _, c := range []struct {
		objective      string
		lost           int64
		met, undecided bool
	}{
		{"p99<20ms", 5, true, false},        // of 1000 answered within 2 ms
		{"p99<20ms", 11, false, true},       // more than one in 100
		{"p99<1ms", 11, false, false},       // missed by what was answered
		{"p50<20ms", 900, true, false},      // half were answered in time
		{"p50<20ms", 1100, false, true},     //
		{"max<20ms", 1, false, true},        //
		{"mean<20ms", 1, false, true},       //
		{"errors<1%", 5, true, false},       //
		{"errors<1%", 50, false, true},      //
		{"errors<1", 1, false, true},        //
		{"rate>=99%", 5, true, false},       // of 1005 due in a second, 1000 were answered
		{"rate>=99%", 500, false, true},     //
		{"rate>=990/s", 500, true, false},   //
		{"rate>=1600/s", 500, false, false}, // missed even with them
		{"rate>=1400/s", 500, false, true},
	} {
		o, err := objective.Parse(c.objective)
		must(t, err)
		l := &Load{TargetRate: float64(1000 + c.lost), Wall: 1e9, Operations: 1000, Started: 1000, Scheduled: 1000 + c.lost, Lost: c.lost, OKRate: 1000, Achieved: 1000}
		h := new(hist.Histogram)
		h.RecordN(2e6, 1000)
		rows := []Latency{{Name: "GET", Kind: record.TagResponse, Percentiles: h.Percentiles(), hist: h}, {Name: "GET", Kind: record.TagService, Percentiles: h.Percentiles(), hist: h}}
		out := judge([]objective.Objective{o}, l, rows)[0]
		if out.Met != c.met || out.Undecided != c.undecided {
			t.Errorf("%s, %d lost: %+v", c.objective, c.lost, out)
		}
	}
}

// TestStepOfLostAgent: a target rate that was not reached because of a lost agent is neither met nor missed, unless the
// operations that were sent miss an objective.
func TestStepOfLostAgent(t *testing.T) {
	for _, c := range []struct {
		lost           int64
		outcome        Outcome
		met, undecided bool
	}{
		{5, Outcome{Met: true}, true, false},
		{500, Outcome{Met: true}, false, true},
		{500, Outcome{}, false, false},
		{5, Outcome{Undecided: true}, false, true},
	} {
		l := Load{TargetRate: 100, Scheduled: 1000, Lost: c.lost, Objectives: []Outcome{c.outcome}}
		if l.judgeStep(); l.Met != c.met || l.Undecided != c.undecided {
			t.Errorf("%+v: met %v, undecided %v", c, l.Met, l.Undecided)
		}
	}
	k := FindKnee([]Load{{TargetRate: 200, Undecided: true, Scheduled: 10, Lost: 5}})
	if k.Undecided != 200 || !strings.HasPrefix(k.Why, "5 operations (50 %) were due for agents that were lost") {
		t.Errorf("%+v", k)
	}
}

// TestAgentSums: counts of agents that add up are accepted. Any others give a warning.
func TestAgentSums(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		b := NewBuilder()
		b.Add(&record.Run{Kind: record.KindLoad, Config: record.Config{Load: &record.LoadConfig{Interval: time.Second}}})
		sum := record.Load{Phase: record.LoadRun, Final: true, Length: 1e9}
		n := 1 + r.IntN(5)
		for i := range n {
			a := &record.Agent{Name: string(rune('a' + i)), Phase: record.LoadRun, Step: 1, State: record.AgentDone}
			for _, x := range []*int64{&a.Completed, &a.Unfinished, &a.Dropped, &a.Unsent, &a.Lost} {
				*x = r.Int64N(1000)
			}
			a.Started = a.Completed + a.Unfinished
			a.Scheduled = a.Started + a.Dropped + a.Unsent + a.Lost
			sum.Scheduled, sum.Started, sum.Completed = sum.Scheduled+a.Scheduled, sum.Started+a.Started, sum.Completed+a.Completed
			sum.Dropped, sum.Unsent, sum.Unfinished, sum.Lost = sum.Dropped+a.Dropped, sum.Unsent+a.Unsent, sum.Unfinished+a.Unfinished, sum.Lost+a.Lost
			b.Add(a)
		}
		wrong := r.IntN(8) // 0: nothing
		if wrong > 0 {
			*[]*int64{&sum.Scheduled, &sum.Started, &sum.Completed, &sum.Dropped, &sum.Unsent, &sum.Unfinished, &sum.Lost}[wrong-1] += 1 + r.Int64N(5)
		}
		b.Add(&sum)
		s := b.Result()
		if got := slices.Contains(Codes(s.Warnings), diagnosis.CountsDiffer); got != (wrong > 0) {
			t.Fatalf("count %d changed: reported of: %v", wrong, got)
		}
	}
}

// TestAgentTwice: of two lines about an agent and a phase the later one counts, and a line about another step does not.
func TestAgentTwice(t *testing.T) {
	b := NewBuilder()
	b.Add(&record.Load{Phase: record.LoadRun, Iter: 1, Start: 50e9, Length: 1e9, Agents: 1})
	b.Add(&record.Agent{Name: "a", Phase: record.LoadRun, Step: 1, State: record.AgentLost, At: 50.5e9, Lost: 7})
	b.Add(&record.Agent{Name: "a", Phase: record.LoadRun, Step: 2, State: record.AgentDone})
	b.Add(&record.Agent{Name: "a", Phase: record.LoadRun, Step: 1, State: record.AgentLost, At: 50.5e9, Lost: 9})
	a := b.Result().Load.Agents
	if a == nil || len(a.Agents) != 1 || a.Agents[0].Lost != 9 || a.Agents[0].Ended != 500e6 {
		t.Errorf("%+v", a)
	}
}

// TestAgentJSON: the summary has the agents under their key, with the keys of their lines.
func TestAgentJSON(t *testing.T) {
	text, err := json.Marshal(summaryOf(t, "agents"))
	must(t, err)
	var got struct {
		Agents []struct {
			Phase  string
			Agents []map[string]any
		}
	}
	must(t, json.Unmarshal(text, &got))
	if x := got.Agents[1]; x.Phase != record.LoadRun || x.Agents[1]["name"] != "load-2" || x.Agents[1]["share"] != 0.5 || x.Agents[1]["offset_error"] != 85_000.0 {
		t.Errorf("%+v", got)
	}
}
