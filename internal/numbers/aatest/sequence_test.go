package aatest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"
)

// script is a Runner with a fake clock that notes its steps.
type script struct {
	now   time.Time
	cost  func(Step) time.Duration
	fails func(Step) bool
	steps []Step
}

func (s *script) run(_ context.Context, x Step) (bool, error) {
	s.steps = append(s.steps, x)
	s.now = s.now.Add(s.cost(x))
	return s.fails == nil || !s.fails(x), nil
}

func second(Step) time.Duration { return time.Second }

func measure(t *testing.T, q Sequence, s *script) Stop {
	t.Helper()
	q.Run, q.Now = s.run, func() time.Time { return s.now }
	stop, err := q.Measure(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return stop
}

// TestBlocks: each block has both windows of one benchmark, each window every
// value of both sides once, the usual way before and after; benchmarks take
// turns, and the order is drawn from the seed alone.
func TestBlocks(t *testing.T) {
	const n, benchmarks, blocks = 5, 3, 30
	const perBlock = 2*n + 2
	q := Sequence{Seed: 9, Benchmarks: benchmarks, N: n, Budget: blocks * perBlock * time.Second}
	s := &script{cost: second}
	stop := measure(t, q, s)
	if stop.Blocks != blocks || len(s.steps) != blocks*perBlock || stop.Why != "the budget is spent" {
		t.Fatalf("%+v, %d steps", stop, len(s.steps))
	}
	usualFirst, bFirst := 0, 0
	turns := map[int]int{}
	for i := range blocks {
		block := s.steps[i*perBlock : (i+1)*perBlock]
		turns[block[0].Benchmark]++
		if (i+1)%benchmarks == 0 {
			for b := range benchmarks {
				if turns[b] != (i+1)/benchmarks {
					t.Errorf("after block %d: turns %v", i+1, turns)
				}
			}
		}
		var usual, forks []Step
		seen := map[string]bool{}
		for _, x := range block {
			if x.Block != i+1 || x.Benchmark != block[0].Benchmark {
				t.Fatalf("block %d has %+v", i+1, x)
			}
			key := fmt.Sprint(x.Purpose, x.Side, x.Round)
			if seen[key] {
				t.Errorf("twice: %+v", x)
			}
			seen[key] = true
			if x.Purpose == PurposeUsual {
				usual = append(usual, x)
			} else {
				forks = append(forks, x)
			}
		}
		if len(usual) != 2 || usual[0].Side != SideA || usual[1].Side != SideB || usual[0].Round != i+1 || usual[1].Round != i+1 {
			t.Errorf("block %d: usual way %+v", i+1, usual)
		}
		for j, x := range forks {
			if b, pair := placeOf(x.Round, n); b != i+1 || pair != j/2 {
				t.Errorf("block %d: fork %d has round %d", i+1, j, x.Round)
			}
			if j%2 == 0 && x.Side == SideB {
				bFirst++
			}
		}
		if block[0].Purpose == PurposeUsual {
			usualFirst++
		}
	}
	if usualFirst < blocks/5 || usualFirst > blocks*4/5 {
		t.Errorf("the usual way came first in %d of %d blocks", usualFirst, blocks)
	}
	if pairs := blocks * n; bFirst < pairs/3 || bFirst > pairs*2/3 {
		t.Errorf("side B came first in %d of %d pairs", bFirst, pairs)
	}

	again, other := &script{cost: second}, &script{cost: second}
	measure(t, q, again)
	q.Seed++
	measure(t, q, other)
	if !reflect.DeepEqual(s.steps, again.steps) || reflect.DeepEqual(s.steps, other.steps) {
		t.Error("the order is not that of the seed")
	}
}

// TestBudget: one block is run whatever it costs, and none is begun that its
// benchmark's last one says will not fit.
func TestBudget(t *testing.T) {
	s := &script{cost: second}
	if stop := measure(t, Sequence{Benchmarks: 2, N: 4, Budget: time.Second}, s); stop.Blocks != 1 {
		t.Errorf("%+v", stop)
	}
	dear := &script{cost: func(x Step) time.Duration { return time.Duration(1+9*x.Benchmark) * time.Second }}
	const budget = 500 * time.Second
	measure(t, Sequence{Benchmarks: 2, N: 4, Budget: budget, Seed: 1}, dear)
	if spent := dear.now.Sub(time.Time{}); spent > budget || spent < budget-100*time.Second {
		t.Errorf("spent %s of %s", spent, budget)
	}
}

// TestFailures: a process that fails is run again, a window whose process fails
// twice is given up, and a benchmark that only fails is not tried for ever.
func TestFailures(t *testing.T) {
	once := map[int]bool{}
	s := &script{cost: second, fails: func(x Step) bool {
		first := !once[x.Round]
		once[x.Round] = true
		return first && x.Round%3 == 0
	}}
	measure(t, Sequence{Benchmarks: 1, N: 4, Budget: 30 * time.Second}, s)
	if len(s.steps) < 20 {
		t.Errorf("%d steps", len(s.steps))
	}

	s = &script{cost: second, fails: func(x Step) bool { return x.Benchmark == 0 }}
	measure(t, Sequence{Benchmarks: 2, N: 4, Budget: time.Minute}, s)
	bad := 0
	for _, x := range s.steps {
		if x.Benchmark == 0 {
			bad++
		}
	}
	if bad < giveUp || bad > 2*giveUp {
		t.Errorf("the benchmark that fails was run %d times", bad)
	}

	s = &script{cost: second, fails: func(Step) bool { return true }}
	stop := measure(t, Sequence{Benchmarks: 2, N: 4, Budget: time.Hour}, s)
	if stop.Why != "no benchmark is left that does not fail" || len(s.steps) > 4*giveUp {
		t.Errorf("%+v after %d steps", stop, len(s.steps))
	}
}

// TestInterrupted: the process in hand is finished, and no other is begun.
func TestInterrupted(t *testing.T) {
	quit := make(chan struct{})
	s := &script{cost: second}
	q := Sequence{Benchmarks: 1, N: 4, Budget: time.Hour, Run: func(ctx context.Context, x Step) (bool, error) {
		if len(s.steps) == 13 {
			close(quit)
		}
		return s.run(ctx, x)
	}}
	stop, err := q.Measure(context.Background(), quit)
	if !errors.Is(err, ErrInterrupted) || len(s.steps) != 14 || stop.Blocks != 2 {
		t.Errorf("%v, %+v after %d steps", err, stop, len(s.steps))
	}

	ctx, cancel := context.WithCancel(context.Background())
	q.Run = func(context.Context, Step) (bool, error) { cancel(); return false, nil }
	if _, err := q.Measure(ctx, nil); !errors.Is(err, ErrInterrupted) {
		t.Errorf("context: %v", err)
	}
	broken := errors.New("disk full")
	q.Run = func(context.Context, Step) (bool, error) { return false, broken }
	if _, err := q.Measure(context.Background(), nil); !errors.Is(err, broken) {
		t.Errorf("broken: %v", err)
	}
	for _, bad := range []Sequence{{N: 4}, {Benchmarks: 1}} {
		if _, err := bad.Measure(context.Background(), nil); err == nil {
			t.Errorf("%+v runs", bad)
		}
	}
}

func TestPlaces(t *testing.T) {
	var rounds []int
	for block := 1; block <= 3; block++ {
		for i := range 4 {
			r := roundOf(block, i, 4)
			rounds = append(rounds, r)
			if b, j := placeOf(r, 4); b != block || j != i {
				t.Errorf("round %d is at %d, %d", r, b, j)
			}
		}
	}
	if !slices.Equal(rounds, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}) {
		t.Error(rounds)
	}
}
