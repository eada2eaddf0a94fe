package cluster_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/cluster"
	"github.com/tarebench/tare/internal/cluster/faulty"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// TestHistories: whatever the network does to a run, and whoever dies, the counts add up, no operation is sent twice, nothing
// hangs, and what agents have counted that were not lost is in the record. TARE_HISTORIES says how many runs, and
// TARE_HISTORY_SEED repeats one.
func TestHistories(t *testing.T) {
	n, first := 200, rand.Uint64()
	if text := os.Getenv("TARE_HISTORIES"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	if text := os.Getenv("TARE_HISTORY_SEED"); text != "" {
		first, _ = strconv.ParseUint(text, 16, 64)
		n = 1
	}
	t.Logf("seeds from %016x", first)
	for i := range n {
		seed := first + uint64(i)
		if !t.Run(fmt.Sprintf("%016x", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { newStory(seed).run(t) })
		}) && n > 1 {
			t.Logf("seed %016x", seed)
		}
	}
}

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
			StoreLoss: share(r, 0.3), AckLoss: share(r, 0.3), MaxDelay: time.Duration(r.Int64N(int64(100 * time.Millisecond))),
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

func (s *story) run(t *testing.T) {
	s.begun = time.Now()
	defer func() {
		if t.Failed() {
			t.Log(s)
			for _, line := range s.said {
				t.Log(line)
			}
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	k, err := cluster.NewController(ctx, s.network.Conn("controller", false), cluster.Config{
		Name: "run", OnLoss: s.policy, AllowSkew: true, Timing: cluster.DefaultTiming(), Note: func(text string) { s.note("%s", text) }, Clock: s.clock(0),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close(false)
	var running sync.WaitGroup
	for i := range s.agents {
		s.stores = append(s.stores, cluster.NewMemoryStore())
		s.ends = append(s.ends, s.startAgent(ctx, &running, i, ""))
	}
	defer func() {
		for _, end := range s.ends {
			end()
		}
		running.Wait()
		time.Sleep(time.Second)
	}()
	if err := k.Join(ctx, cluster.Wanted{Count: s.agents}); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Open(ctx, []byte("{}"), cluster.Limits{}); err != nil {
		t.Fatal(err)
	}
	s.network.Set(s.faults)
	began := make(chan struct{})
	events, stop := context.WithCancel(ctx)
	calm := make(chan struct{})
	go func() {
		defer close(calm)
		s.disturb(events, ctx, &running, began)
	}()
	var lines []record.Line
	config := s.config
	once := sync.OnceFunc(func() { close(began) })
	config.Status = func(*load.Interval) {}
	time.AfterFunc(300*time.Millisecond, once)
	whole, err := k.Run(ctx, cluster.RoleRun, config, func(l record.Line) error { lines = append(lines, l); return nil })
	stop()
	<-calm
	s.network.Set(faulty.Faults{})
	s.network.Start()
	if ctx.Err() != nil {
		t.Fatalf("it hangs: %v", err)
	}
	k.Close(err == nil)
	s.check(t, whole, lines, err)
}

// startAgent starts an agent, and returns what kills it.
func (s *story) startAgent(ctx context.Context, running *sync.WaitGroup, i int, again string) context.CancelFunc {
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
		e, err := newSimulated(c, now)
		if err != nil {
			return nil, err
		}
		return e.run(ctx, t)
	})
	running.Go(func() {
		defer conn.Close()
		cluster.RunAgent(ctx, conn, c)
	})
	return cancel
}

// disturb has things happen.
func (s *story) disturb(ctx, all context.Context, running *sync.WaitGroup, began <-chan struct{}) {
	<-began
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
				s.ends[i] = s.startAgent(all, running, i, "-"+cluster.NewID())
			}
		case 1, 2:
			s.note("%s is cut off for %s", id, long)
			s.network.Partition(id, true)
			wait(ctx, long)
			s.network.Partition(id, false)
		case 3:
			s.note("the server is away for %s", long/4)
			s.network.Stop()
			wait(ctx, long/4)
			s.network.Start()
		}

	}
}

// A story is the system that its agents load, and knows which operations were sent.
func (s *story) Opened() cluster.Opened                           { return cluster.Opened{Kinds: s.Kinds()} }
func (s *story) Target(cluster.Role, uint64, [][2]uint64) (load.Target, error)         { return s, nil }
func (s *story) Kinds() []string                                  { return []string{simulatedKind} }
func (s *story) Worker(context.Context, int) (load.Worker, error) { return &storyWorker{s: s}, nil }
func (s *story) Close() error                                     { return nil }

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

func (s *story) check(t *testing.T, whole *load.Interval, lines []record.Line, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := uint64(scheduled(t, s.config))
	for k, times := range s.seen {
		if times > 1 || k >= n {
			t.Errorf("operation %d of %d was sent %d times", k, n, times)
		}
	}
	agents := map[string]*record.Agent{}
	var counts int64
	for _, l := range lines {
		switch l := l.(type) {
		case *record.Load:
			if l.Scheduled != l.Started+l.Dropped+l.Unsent+l.Lost || l.Started != l.Completed+l.Unfinished || min(l.Unsent, l.Lost, l.Unfinished) < 0 {
				t.Errorf("counts that do not add up: %+v", l)
			}
		case *record.Agent:
			if l.Scheduled != l.Started+l.Dropped+l.Unsent+l.Lost || l.Started != l.Completed+l.Unfinished || min(l.Unsent, l.Lost, l.Unfinished) < 0 {
				t.Errorf("counts of an agent that do not add up: %+v", l)
			}
			agents[l.Name] = l
		case *record.Hist:
			h, err := hist.Decode(l.Data)
			if err != nil {
				t.Fatal(err)
			}
			if l.Tag == record.TagService {
				counts += h.Count()
			}
		}
	}
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
