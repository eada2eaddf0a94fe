package cluster_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/nats"
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// TestExact: over a real server, what three agents counted is what one process counts that is given each latency they saw,
// byte for byte; no operation of the schedule was sent twice.
func TestExact(t *testing.T) {
	for _, c := range []load.Config{ // without a duration no operation is left unsent, however busy the machine is
		{Schedule: load.Schedule{Rate: 2000}, Operations: 2000},
		{Schedule: load.Schedule{Rate: 1500, Poisson: true}, Operations: 1500},
		{Schedule: load.Schedule{Rate: 100, To: 3000, Over: time.Second}, Operations: 1550},
		{Operations: 3000},
	} {
		t.Run(c.Schedule.String(), func(t *testing.T) {
			t.Parallel()
			c.Interval, c.Seed, c.Workers, c.Phase = 200*time.Millisecond, rand.Uint64(), 12, record.LoadRun
			g := startGroup(t, 3)
			var lines []record.Line
			total, err := g.controller.Run(t.Context(), cluster.RoleRun, c, func(l record.Line) error { lines = append(lines, l); return nil })
			if err != nil {
				t.Fatalf("seed %d: %v", c.Seed, err)
			}
			g.compare(t, c, total, lines)
		})
	}
}

// group is a controller and its agents in this process, over a real server.
type group struct {
	controller *cluster.Controller
	agents     []*seen
}

// seen is what one agent did.
type seen struct {
	mu   sync.Mutex
	ks   []uint64
	took []load.Operation
}

func startGroup(t *testing.T, n int) *group {
	t.Helper()
	s, err := nats.StartServer(nats.ServerConfig{Dir: t.TempDir(), Group: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	conn, err := nats.Dial(t.Context(), nats.DialConfig{Server: s, Group: "test"})
	if err != nil {
		t.Fatal(err)
	}
	g := &group{}
	g.controller, err = cluster.NewController(t.Context(), conn, cluster.Config{Name: cluster.NewID(), OnLoss: cluster.LossContinue, AllowSkew: true, Timing: patient(), Note: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	t.Cleanup(func() {
		g.controller.Close(true)
		cancel()
		running.Wait()
	})
	for i := range n {
		a := &seen{}
		g.agents = append(g.agents, a)
		id := fmt.Sprintf("agent-%d", i)
		conn, err := nats.Dial(t.Context(), nats.DialConfig{URL: s.URL(), Token: s.Token(), ID: id, Agent: true, Group: "test"})
		if err != nil {
			t.Fatal(err)
		}
		running.Go(func() {
			defer conn.Close()
			cluster.RunAgent(ctx, conn, cluster.AgentConfig{
				Machine: cluster.Machine{Name: id, Host: "here", Cores: 2}, ID: id, Timing: patient(),
				Open: func(context.Context, []byte) (cluster.System, error) { return a, nil }, Observe: a.observe,
			})
		})
	}
	if err := g.controller.Join(t.Context(), cluster.Wanted{Count: n}); err != nil {
		t.Fatal(err)
	}
	if _, err := g.controller.Open(t.Context(), []byte("{}"), cluster.Limits{}); err != nil {
		t.Fatal(err)
	}
	return g
}

// patient is a timing with which no agent is lost because other programs use the processors.
func patient() cluster.Timing {
	t := cluster.DefaultTiming()
	t.Lost, t.Lease = time.Minute, time.Minute
	return t
}

func (s *seen) observe(o load.Operation) {
	s.mu.Lock()
	s.took = append(s.took, o)
	s.mu.Unlock()
}

// seen is a system whose operations take a time that follows from their number.
func (s *seen) Opened() cluster.Opened {
	return cluster.Opened{Kinds: s.Kinds(), Capabilities: kv.Capabilities{Name: "test"}}
}
func (s *seen) Target(cluster.Role, uint64, [][2]uint64) (load.Target, error) { return s, nil }
func (s *seen) Kinds() []string                                               { return []string{"A", "B"} }
func (s *seen) Worker(context.Context, int) (load.Worker, error)              { return &seenWorker{s: s}, nil }
func (s *seen) Close() error                                                  { return nil }

type seenWorker struct {
	s *seen
	k uint64
}

func (w *seenWorker) Prepare(k uint64) int {
	w.k = k
	return int(k % 2)
}

func (w *seenWorker) Do(context.Context, *load.Timer) error {
	time.Sleep(time.Duration(w.k*2654435761%700) * time.Microsecond)
	if w.k%97 == 0 {
		return fmt.Errorf("operation %d fails", w.k)
	}
	return nil
}

func (w *seenWorker) Done(err error) error {
	w.s.mu.Lock()
	w.s.ks = append(w.s.ks, w.k)
	w.s.mu.Unlock()
	return err
}

func (w *seenWorker) Close() error { return nil }

// compare checks the counts and the histograms against what the agents saw.
func (g *group) compare(t *testing.T, c load.Config, total *load.Interval, lines []record.Line) {
	t.Helper()
	want := map[string]*hist.Histogram{}
	add := func(kind, tag string, v int64) {
		key := kind + " " + tag
		if want[key] == nil {
			want[key] = &hist.Histogram{}
		}
		want[key].Record(v)
	}
	var ks []uint64
	for _, a := range g.agents {
		ks = append(ks, a.ks...)
		for _, o := range a.took {
			kind := a.Kinds()[o.Kind]
			switch {
			case o.Failed:
				add(kind, record.TagFailed, o.End-o.Due)
			case c.Schedule.Rate > 0:
				add(kind, record.TagResponse, o.End-o.Due)
				add(kind, record.TagService, o.End-o.Start)
			default:
				add(kind, record.TagService, o.End-o.Start)
			}
		}
	}
	slices.Sort(ks)
	for i, k := range ks {
		if i > 0 && k == ks[i-1] {
			t.Errorf("seed %d: operation %d was sent twice", c.Seed, k)
		}
	}
	n, all := int64(len(ks)), int64(c.Operations) // on a busy machine some are not sent in time
	if c.Duration > 0 {
		all = scheduled(t, c)
	}
	if total.Scheduled != all || total.Started != n || total.Completed != n || total.Unsent != all-n || total.Lost != 0 {
		t.Errorf("seed %d: %d of %d were sent: %+v", c.Seed, n, all, total.Load)
	}
	intervals := map[string]*hist.Histogram{}
	for _, l := range lines {
		if h, ok := l.(*record.Hist); ok {
			decoded, err := hist.Decode(h.Data)
			if err != nil {
				t.Fatal(err)
			}
			key := h.Name + " " + h.Tag
			if intervals[key] == nil {
				intervals[key] = &hist.Histogram{}
			}
			if err := intervals[key].Merge(decoded); err != nil {
				t.Fatal(err)
			}
		}
	}
	for key, h := range want {
		text, _ := h.Encode()
		for where, got := range map[string]*hist.Histogram{"the whole": find(total.Latencies, key), "the intervals": intervals[key]} {
			if got == nil {
				t.Errorf("seed %d: %s has no %s", c.Seed, where, key)
				continue
			}
			if gotText, _ := got.Encode(); !bytes.Equal(gotText, text) || !got.Equal(h) {
				t.Errorf("seed %d: %s, %s: %d values, maximum %d; want %d, %d", c.Seed, where, key, got.Count(), got.Max(), h.Count(), h.Max())
			}
		}
	}
}

func find(all []load.Latency, key string) *hist.Histogram {
	for _, l := range all {
		if l.Kind+" "+l.Tag == key {
			return l.Hist
		}
	}
	return nil
}

// scheduled returns how many operations a schedule has.
func scheduled(t *testing.T, c load.Config) int64 {
	s, err := pace.New(pace.Config{Rate: c.Schedule.Rate, To: c.Schedule.To, Over: c.Schedule.Over, Poisson: c.Schedule.Poisson, Seed: c.Seed, For: c.Duration})
	if err != nil {
		t.Fatal(err)
	}
	n, _ := s.Skip(1 << 62)
	return int64(n)
}
