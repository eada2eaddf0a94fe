package result

import (
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// A madeAgent is a load generator that is being made up: its line, and how its operations go.
type madeAgent struct {
	record.Agent
	perInterval int           // operations that are due
	service     time.Duration // of each, about
	late        time.Duration // its own lateness, about
	lostAfter   int           // intervals; 0: it is not lost
	response    hist.Histogram
	lateness    hist.Histogram
}

// agentsRecord is a run of three load generators, 600/s for 10 s, after a warm-up of one second.
func agentsRecord(t *testing.T, change func(all []*madeAgent)) []record.Line {
	r := newLoadRecord(t, record.LoadConfig{
		DB: "http", Name: "http at 10.0.0.9:8080", Arrivals: "constant 600/s", Rate: 600, Workers: 1, AutoWorkers: 1000,
		Warmup: time.Second, Duration: 10 * time.Second, OnLate: "catch-up", Kinds: []string{"GET"},
	}, "--db", "http://10.0.0.9:8080/items/{key}", "--rate", "600/s", "--duration", "10s", "--agents", "3", "--slo", "p99<20ms", "--slo", "errors<1%", "--slo", "rate>=95%")
	r.add(attach(AttachSLO, "p99<20ms\nerrors<1%\nrate>=95%\n"))
	r.agents(record.LoadWarmup, 1, madeAgents())
	all := madeAgents()
	if change != nil {
		change(all)
	}
	r.agents(record.LoadRun, 10, all)
	return r.end()
}

func madeAgents() []*madeAgent {
	made := func(name, host string, weight, perInterval int, offset, offsetError, startLate int64) *madeAgent {
		return &madeAgent{
			Agent: record.Agent{Name: name, Host: host, OS: "linux", Arch: "amd64", Cores: 4, Tare: "v0.1.0", Weight: weight,
				Offset: offset, OffsetError: offsetError, Drift: 2.5, StartLate: startLate, CoresUsed: 0.12},
			perInterval: perInterval, service: 2 * time.Millisecond, late: 60 * time.Microsecond,
		}
	}
	return []*madeAgent{
		made("load-1", "load-1", 1, 150, 0, 14_000, 90_000),
		made("load-2", "load-2.example.org", 2, 300, -48_000_000_000, 85_000, 130_000),
		made("local-1", "desk", 1, 150, 1200, 4_000, 60_000),
	}
}

// makeNoisy changes the agents' lines: the machine of the first agent is busy and late, some of its intervals are
// missing, and clocks and starts differ.
func makeNoisy(all []*madeAgent) {
	x := all[0]
	x.late, x.service, x.CoresUsed, x.Missing, x.Late = 12*time.Millisecond, 14*time.Millisecond, 3.7, 2, 1
	x.OffsetError, x.StartLate = 70_000_000, 210_000_000
}

// agents adds n intervals of a second, and the lines of the phase and its agents. A lost agent's line comes at once,
// and again at the end.
func (r *loadRecord) agents(phase string, n int, all []*madeAgent) {
	start := r.now
	get := func(tag string) [2]string { return [2]string{"GET", tag} }
	order := [][2]string{get(record.TagResponse), get(record.TagService), get(record.TagLateness)}
	var sum record.Load
	for i := range n {
		v := latencies{}
		now := record.Load{Phase: phase, Iter: i + 1, Length: 1e9, Workers: 12, BacklogMax: 4}
		for _, x := range all {
			now.TargetRate += float64(x.perInterval)
			if x.lostAfter > 0 && i >= x.lostAfter {
				x.Scheduled, x.Lost = x.Scheduled+int64(x.perInterval), x.Lost+int64(x.perInterval)
				continue
			}
			if i < n-x.Missing {
				now.Agents++
			}
			for k := range x.perInterval {
				late := int64(x.late) * int64(50+k*7919%100) / 100
				service := int64(x.service) * int64(50+k*104729%100) / 100
				x.lateness.Record(late)
				x.response.Record(late + service)
				for j, ns := range []int64{late + service, service, late} {
					v[order[j]] = append(v[order[j]], ns)
				}
			}
			now.Achieved += float64(x.perInterval)
			x.Scheduled, x.Started, x.Completed = x.Scheduled+int64(x.perInterval), x.Started+int64(x.perInterval), x.Completed+int64(x.perInterval)
			x.Intervals, x.CPU = i+1-x.Missing, x.CPU+int64(x.CoresUsed*1e9)
		}
		for _, x := range all {
			now.Scheduled, now.Started, now.Completed = now.Scheduled+x.Scheduled, now.Started+x.Started, now.Completed+x.Completed
			now.Lost, now.CPU = now.Lost+x.Lost, now.CPU+x.CPU
		}
		r.interval(now, order, v)
		for _, x := range all {
			if x.lostAfter == i+1 {
				x.State, x.Why, x.At = record.AgentLost, "no sign of life for 2s", r.now+300e6
				r.agentLine(x, phase, int64(i+1)*1e9)
			}
		}
		sum = now
	}
	for _, x := range all {
		if x.State == "" {
			x.State = record.AgentDone
		}
		r.agentLine(x, phase, r.now-start)
	}
	sum.Agents = 0
	r.whole(sum, start)
}

func (r *loadRecord) agentLine(x *madeAgent, phase string, ran int64) {
	l := x.Agent
	l.Phase, l.Step, l.TargetRate = phase, 1, float64(x.perInterval)
	l.Achieved = float64(l.Completed) / (float64(ran) / 1e9)
	l.Shares = []record.AgentShare{{Slots: l.Weight, Of: 4}}
	times := func(h *hist.Histogram) *record.AgentTimes {
		p := h.Percentiles()
		return &record.AgentTimes{Count: p.Count, P50: p.P50, P99: p.P99, P999: p.P999, Max: p.Max}
	}
	l.Response, l.Lateness = times(&x.response), times(&x.lateness)
	r.add(&l)
}
