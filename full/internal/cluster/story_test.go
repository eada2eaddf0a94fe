package cluster_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/faulty"
	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// A story is one run over a faulty network.
type story struct {
	seed     uint64
	random   *rand.Rand
	agents   int
	faults   faulty.Faults
	config   load.Config
	policy   cluster.OnLoss
	network  *faulty.Network
	stores   []cluster.Store
	ends     []context.CancelFunc // of agents
	disturbs bool                 // some agent is cut off, or the server ends
	begun    time.Time
	running  sync.WaitGroup // agents

	mu   sync.Mutex
	seen map[uint64]int
	said []string
}

func newStory(seed uint64) *story {
	r := rand.New(rand.NewPCG(seed, 2))
	s := &story{seed: seed, random: r, agents: 1 + r.IntN(4), seen: map[uint64]int{}, network: faulty.New(seed)}
	s.policy = []cluster.OnLoss{cluster.LossContinue, cluster.LossStop, cluster.LossRedistribute}[r.IntN(3)]
	s.config = load.Config{
		Schedule: load.Schedule{Rate: float64(20 + r.IntN(150)), Poisson: r.IntN(2) == 0}, Seed: seed, Phase: record.LoadRun, Workers: 4,
		Duration: time.Second + time.Duration(r.Int64N(int64(14*time.Second))), Interval: 100*time.Millisecond + time.Duration(r.Int64N(int64(time.Second))), Drain: time.Second,
	}
	if r.IntN(4) > 0 {
		s.faults = faulty.Faults{
			Loss: share(r, 0.2), Duplicate: share(r, 0.2), Reorder: share(r, 0.2), RequestLoss: share(r, 0.2), AnswerLoss: share(r, 0.2),
			StoreLoss: share(r, 0.2), AckLoss: share(r, 0.2), MaxDelay: time.Duration(r.Int64N(int64(100 * time.Millisecond))),
		}
	}
	return s
}

// share draws a share, 0 half of the time.
func share(r *rand.Rand, most float64) float64 {
	if r.IntN(2) == 0 {
		return 0
	}
	return r.Float64() * most
}

func (s *story) String() string {
	return fmt.Sprintf("seed %016x: %d agents, %s for %s, intervals of %s, %s, %+v", s.seed, s.agents, s.config.Schedule, s.config.Duration, s.config.Interval, s.policy, s.faults)
}

// clock is CLOCK_MONOTONIC of a machine whose clock is ahead.
func (s *story) clock(ahead time.Duration) func() int64 {
	begun := s.begun
	return func() int64 { return int64(time.Since(begun)+ahead) + 1 }
}

func (s *story) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, fmt.Sprintf("%8.3f ", time.Since(s.begun).Seconds())+fmt.Sprintf(format, args...))
}

// begin starts a controller and its agents. They end with the test.
func (s *story) begin(t *testing.T) (context.Context, *cluster.Controller) {
	s.begun = time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(func() {
		for _, end := range s.ends {
			end()
		}
		s.running.Wait()
		cancel()
		time.Sleep(time.Second)
		if t.Failed() {
			t.Log(s)
			for _, line := range s.said {
				t.Log(line)
			}
		}
	})
	k := s.controller(t, ctx, cluster.Config{Name: "run"})
	for i := range s.agents {
		s.stores = append(s.stores, cluster.NewMemoryStore())
		s.ends = append(s.ends, s.startAgent(ctx, i, ""))
	}
	if err := k.Join(ctx, cluster.Wanted{Count: s.agents}); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Open(ctx, []byte("{}"), cluster.Limits{}); err != nil {
		t.Fatal(err)
	}
	s.network.Set(s.faults)
	return ctx, k
}

// controller makes one, which is called like its run. It ends with the test.
func (s *story) controller(t *testing.T, ctx context.Context, c cluster.Config) *cluster.Controller {
	c.OnLoss, c.AllowSkew, c.Timing, c.Clock = s.policy, true, cluster.DefaultTiming(), s.clock(0)
	c.Note = func(text string) { s.note("%s", text) }
	k, err := cluster.NewController(ctx, s.network.Conn(c.Name, false), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.Close(false) })
	return k
}

// startAgent starts an agent, and returns what kills it.
func (s *story) startAgent(ctx context.Context, i int, again string) context.CancelFunc {
	name := fmt.Sprintf("a%d", i)
	id := name + again
	conn := s.network.Conn(id, true)
	ctx, cancel := context.WithCancel(ctx)
	now := s.clock(time.Duration(i) * time.Hour)
	c := cluster.AgentConfig{
		Machine: cluster.Machine{Name: name, Host: "here"}, ID: id, Store: s.stores[i], Timing: cluster.DefaultTiming(), Clock: now, Note: func(text string) { s.note("%s: %s", id, text) },
		Open: func(context.Context, []byte) (cluster.System, error) { return s, nil },
	}
	c.SetEngine(func(ctx context.Context, t load.Target, c load.Config, _ load.Sink) (*load.Interval, error) {
		e, err := newSimulated(c, clock.Now)
		if err != nil {
			return nil, err
		}
		return e.run(ctx, t)
	})
	s.running.Go(func() {
		defer conn.Close()
		cluster.RunAgent(ctx, conn, c)
	})
	return cancel
}

// disturb has things happen.
func (s *story) disturb(ctx, all context.Context) {
	wait(ctx, 300*time.Millisecond)
	r := rand.New(rand.NewPCG(s.seed, 3))
	for range r.IntN(4) {
		if !wait(ctx, time.Duration(r.Int64N(int64(s.config.Duration/2)))) {
			return
		}
		s.disturbs = true
		i, long := r.IntN(s.agents), time.Duration(r.Int64N(int64(6*time.Second)))
		id := fmt.Sprintf("a%d", i)
		switch r.IntN(4) {
		case 0:
			s.note("%s is killed", id)
			s.network.Kill(id)
			s.ends[i]()
			if r.IntN(2) == 0 && wait(ctx, long/4) {
				s.note("%s is started anew", id)
				s.ends[i] = s.startAgent(all, i, "-"+cluster.NewID())
			}
		case 1, 2:
			s.note("%s is cut off for %s", id, long)
			s.network.Partition(id, true)
			wait(ctx, long)
			s.network.Partition(id, false)
		case 3:
			s.note("the server is down for %s", long/4)
			s.network.Stop()
			wait(ctx, long/4)
			s.network.Start()
		}

	}
}

// cutOff cuts agents off for some time, and ends the server.
func (s *story) cutOff(ctx context.Context) {
	r := rand.New(rand.NewPCG(s.seed, 4))
	for range r.IntN(3) {
		wait(ctx, time.Duration(r.Int64N(int64(s.config.Duration/2))))
		id, long := fmt.Sprintf("a%d", r.IntN(s.agents)), time.Duration(r.Int64N(int64(6*time.Second)))
		s.note("%s is cut off for %s", id, long)
		s.network.Partition(id, true)
		wait(ctx, long)
		s.network.Partition(id, false)
	}
}

// A story is the system that its agents load, and knows which operations were sent.
func (s *story) Opened() cluster.Opened                                        { return cluster.Opened{Kinds: s.Kinds()} }
func (s *story) Target(cluster.Role, uint64, [][2]uint64) (load.Target, error) { return s, nil }
func (s *story) Kinds() []string                                               { return []string{simulatedKind} }
func (s *story) Worker(context.Context, int) (load.Worker, error)              { return &storyWorker{s: s}, nil }
func (s *story) Close() error                                                  { return nil }

type storyWorker struct {
	s *story
	k uint64
}

func (w *storyWorker) Prepare(k uint64) int { w.k = k; return 0 }
func (w *storyWorker) Do(context.Context, *load.Timer) error {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	w.s.seen[w.k]++
	return nil
}
func (w *storyWorker) Done(err error) error { return err }
func (w *storyWorker) Close() error         { return nil }
