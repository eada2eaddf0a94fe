package pace

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// random returns a generator whose seed is printed when the test fails. Setting PACE_SEED
// repeats a failure.
func random(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	if s := os.Getenv("PACE_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("repeat with PACE_SEED=%d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}

// anyPattern returns a pattern of 1 to 40 slots in which some of n owners may own nothing.
func anyPattern(r *rand.Rand, n int) []int {
	owners := make([]int, 1+r.IntN(40))
	for i := range owners {
		owners[i] = r.IntN(n)
	}
	return owners
}

// A plan is who owns what: a model of a Share.
type plan []struct {
	from   uint64
	owners []int
}

func (p plan) owner(k uint64) int {
	of := p[0].owners
	for _, s := range p {
		if k >= s.from {
			of = s.owners
		}
	}
	return of[k%uint64(len(of))]
}

// anyPlan returns a plan of some sections below most.
func anyPlan(r *rand.Rand, n int, most uint64) plan {
	p := plan{{0, anyPattern(r, n)}}
	for from := uint64(0); r.IntN(3) > 0; {
		from += r.Uint64N(most/4 + 1)
		p = append(p, plan{{from, anyPattern(r, n)}}...)
	}
	return p
}

// share returns what the plan gives to an owner.
func (p plan) share(t testing.TB, me int) *Share {
	t.Helper()
	s, err := NewShare(p[0].owners, me)
	for _, section := range p[1:] {
		if err == nil {
			err = s.Reassign(section.from, section.owners)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestShareModel compares counts and successors with those found one by one.
func TestShareModel(t *testing.T) {
	r := random(t)
	for range 200 {
		const most = 500
		n := 1 + r.IntN(5)
		p := anyPlan(r, n, most)
		for me := range n {
			s := p.share(t, me)
			count, since := uint64(0), uint64(0)
			for k := range uint64(most) {
				if got := s.Count(k); got != count {
					t.Fatalf("%v: owner %d has %d operations below %d, want %d", p, me, got, k, count)
				}
				if p.owner(k) != me {
					continue
				}
				for ; since <= k; since++ {
					if got, ok := s.find(since); !ok || got != k {
						t.Fatalf("%v: owner %d: %d, %v is next from %d on, want %d", p, me, got, ok, since, k)
					}
				}
				count++
			}
		}
	}
}

// TestShareWeight: the weights of all owners add up to one, and the mean is that over the operations
// passed.
func TestShareWeight(t *testing.T) {
	r := random(t)
	p := plan{{0, []int{0, 1, 0, 2}}, {8, []int{0, 1}}}
	if s := p.share(t, 1); s.Weight(7) != 0.25 || s.Weight(8) != 0.5 || s.MeanWeight(0) != 0.25 || s.MeanWeight(1) != 0.25 || s.MeanWeight(6) != 0.375 {
		t.Errorf("owner 1: %v, then %v, means %v, %v, %v", s.Weight(7), s.Weight(8), s.MeanWeight(0), s.MeanWeight(1), s.MeanWeight(6))
	}
	for range 50 {
		n, k := 1+r.IntN(5), 400+r.Uint64N(1000)
		p := anyPlan(r, n, 500)
		weight := 0.0
		for me := range n {
			s := p.share(t, me)
			weight += s.Weight(k)
			mean := 0.0
			for i := range k {
				mean += s.Weight(i) / float64(k)
			}
			// Where k lies in a pattern makes a difference of some slots.
			if got := s.MeanWeight(s.Count(k)); s.Weight(k) > 0 && math.Abs(got-mean) > 0.1 {
				t.Errorf("%v: owner %d has a mean of %v below %d, want %v", p, me, got, k, mean)
			}
		}
		if math.Abs(weight-1) > 1e-9 {
			t.Errorf("%v: the weights at %d add up to %v", p, k, weight)
		}
	}
}

func TestShareRefuses(t *testing.T) {
	for _, tt := range []struct {
		owners []int
		me     int
		want   string
	}{
		{nil, 0, "the pattern of owners is empty"},
		{make([]int, maxSlots+1), 0, "a pattern of 65537 owners: at most 65536 are possible"},
		{[]int{0, -1}, 0, "owner -1 in the pattern: must not be negative"},
		{[]int{0, 1}, -1, "owner -1: must not be negative"},
	} {
		if _, err := NewShare(tt.owners, tt.me); err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
	s, err := NewShare(make([]int, maxSlots), 3)
	if err != nil {
		t.Fatal(err)
	}
	if k, ok := s.find(0); ok {
		t.Errorf("who owns nothing has operation %d", k)
	}
	if err := s.Reassign(7, nil); err == nil || errors.Is(err, ErrTooLate) {
		t.Errorf("an empty pattern: %v", err)
	}
	if err := s.Reassign(7, []int{3}); err != nil {
		t.Error(err)
	}
	if err := s.Reassign(6, []int{3}); err == nil || errors.Is(err, ErrTooLate) || !strings.Contains(err.Error(), "have been reassigned") {
		t.Errorf("before the last one: %v", err)
	}
}

// anySchedule returns a schedule of any kind with an end.
func anySchedule(r *rand.Rand) Config {
	rate := func() float64 { return math.Exp(r.Float64() * 13) }
	length := func() time.Duration { return time.Duration(r.Int64N(int64(50 * time.Millisecond))) }
	var c Config
	switch r.IntN(5) {
	case 0:
		c = Config{Rate: rate(), To: rate(), Over: length() + 1}
	case 1:
		for range 1 + r.IntN(5) {
			s := Step{Rate: rate(), For: length() + 1, To: rate(), Ramp: r.IntN(3) == 0}
			if !s.Ramp {
				s.To = 0
				s.Rate *= float64(r.IntN(2)) // pauses
			}
			c.Steps = append(c.Steps, s)
		}
		c.Steps = append(c.Steps, Step{Rate: 1000})
	case 2:
		at := time.Duration(0)
		for range 1 + r.IntN(2000) {
			at += time.Duration(r.Int64N(3) * r.Int64N(1e6))
			c.Times = append(c.Times, at)
		}
	default:
		c.Rate = rate()
	}
	c.Poisson, c.Seed = c.Times == nil && r.IntN(3) == 0, r.Uint64()
	switch r.IntN(3) {
	case 0:
		c.Ops = 1 + r.Uint64N(3000)
	case 1:
		c.For = length() + 1
	default:
		c.Ops, c.For = 1+r.Uint64N(3000), length()+1
	}
	return c
}

// due is an operation with its due time.
type due struct {
	k  uint64
	at time.Duration
}

// rest claims until the schedule ends.
func rest(s *Schedule) (all []due) {
	for {
		k, at, ok := s.Claim()
		if !ok {
			return all
		}
		all = append(all, due{k, at})
	}
}

// walk reads a schedule in steps of any length, by Claim and Skip, and reassigns on the way.
func walk(t *testing.T, r *rand.Rand, c Config, of *Share, p plan) (got []due, followed bool) {
	t.Helper()
	c.Mine = of
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	check, err := New(c) // says what Skip skipped
	if err != nil {
		t.Fatal(err)
	}
	for len(p) > 0 || r.IntN(50) > 0 {
		switch {
		case len(p) > 0 && (r.IntN(20) == 0 || s.next > p[0].from/2):
			if err := of.Reassign(p[0].from, p[0].owners); err != nil {
				if !errors.Is(err, ErrTooLate) || of.Decided() <= p[0].from {
					t.Fatalf("%v, decided are %d", err, of.Decided())
				}
				return nil, false // this plan cannot be followed
			}
			p = p[1:]
		case r.IntN(3) == 0:
			before := time.Duration(r.Int64N(int64(60 * time.Millisecond)))
			n, first := s.Skip(before)
			for i := range n {
				k, at, ok := check.Claim()
				if !ok || at >= before || i == 0 && at != first {
					t.Fatalf("skipped %d at %v before %v, the first at %v", k, at, before, first)
				}
				got = append(got, due{k, at})
			}
		default:
			k, at, ok := s.Claim()
			if k2, at2, ok2 := check.Claim(); k2 != k || at2 != at || ok2 != ok {
				t.Fatalf("claimed %d at %v, the copy %d at %v", k, at, k2, at2)
			}
			if ok {
				got = append(got, due{k, at})
			}
		}
		if s.Claimed() != uint64(len(got)) {
			t.Fatalf("%d are claimed, %d were", s.Claimed(), len(got))
		}
	}
	return append(got, rest(s)...), true
}

// TestSharesAreTheSchedule: of any schedule, the shares of all owners together are the whole,
// with the same due times, whatever is reassigned on the way.
func TestSharesAreTheSchedule(t *testing.T) {
	r := random(t)
	followed := 0
	for range 1500 {
		c := anySchedule(r)
		s, err := New(c)
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		want := rest(s)
		n := 1 + r.IntN(5)
		p := anyPlan(r, n, uint64(len(want)))
		var got []due
		whole := true
		for me := range n {
			of, err := NewShare(p[0].owners, me)
			if err != nil {
				t.Fatal(err)
			}
			mine, ok := walk(t, r, c, of, p[1:])
			whole = whole && ok
			for _, d := range mine {
				if p.owner(d.k) != me {
					t.Fatalf("%v, %v: owner %d got operation %d", c, p, me, d.k)
				}
			}
			got = append(got, mine...)
		}
		if !whole {
			continue // one was too late
		}
		followed++
		slices.SortStableFunc(got, func(a, b due) int { return int(int64(a.k) - int64(b.k)) })
		if !slices.Equal(got, want) {
			t.Fatalf("%v, %v: %d operations, want %d\n%v\n%v", c, p, len(got), len(want), got, want)
		}
	}
	if followed < 500 {
		t.Errorf("only %d plans could be followed", followed)
	}
}

// TestReassignWhileClaiming: two workers of each owner claim while patterns change. An owner
// gets exactly what the patterns give it that it was not too late for.
func TestReassignWhileClaiming(t *testing.T) {
	r := random(t)
	accepted := 0
	for range 30 {
		const ops = 20_000
		p := plan{{0, anyPattern(r, 3)}}
		p[0].owners[0] = 1
		of := p.share(t, 1)
		s, err := New(Config{Rate: 1e6, Ops: ops, Mine: of, Poisson: r.IntN(2) == 0})
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var got []due
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				mine := rest(s)
				mu.Lock()
				defer mu.Unlock()
				got = append(got, mine...)
			})
		}
		for {
			from, pattern := of.Decided(), anyPattern(r, 3)
			if from >= ops {
				break
			}
			from += r.Uint64N(2000)
			switch err := of.Reassign(from, pattern); {
			case err == nil:
				p = append(p, plan{{from, pattern}}...)
				accepted++
			case !errors.Is(err, ErrTooLate) && from >= p[len(p)-1].from:
				t.Fatal(err)
			}
		}
		wg.Wait()
		slices.SortFunc(got, func(a, b due) int { return int(int64(a.k) - int64(b.k)) })
		i := 0
		for k := range uint64(ops) {
			if p.owner(k) != 1 {
				continue
			}
			if i == len(got) || got[i].k != k {
				t.Fatalf("%d patterns: operation %d is missing", len(p), k)
			}
			i++
		}
		if i != len(got) {
			t.Fatalf("%d operations too many, such as %v", len(got)-i, got[i])
		}
	}
	if accepted == 0 {
		t.Error("nothing was reassigned")
	}
}

// TestDecided: a reader that waits for an operation has decided what comes before it, and one
// that follows the time nothing that is due later.
func TestDecided(t *testing.T) {
	of, err := NewShare([]int{0, 0, 0, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Rate: 1000, Mine: of, Ops: 100}
	s, _ := New(c)
	follower, _ := New(c)
	if n := of.Decided(); n != 0 {
		t.Errorf("%d are decided at the start", n)
	}
	follower.Skip(6 * time.Millisecond) // 0 … 5, of which 3
	if n := of.Decided(); n != 6 || follower.Claimed() != 1 {
		t.Errorf("%d are decided after 6 ms, %d claimed", n, follower.Claimed())
	}
	s.Claim()
	s.Claim()
	if n := of.Decided(); n != 8 {
		t.Errorf("operations 3 and 7 are claimed, and decided are those below %d", n)
	}
	if err := of.Reassign(7, []int{0}); !errors.Is(err, ErrTooLate) {
		t.Errorf("operation 7 was claimed: %v", err)
	}
	if err := of.Reassign(8, []int{0}); err != nil {
		t.Error(err)
	}
	if k, _, ok := s.Claim(); ok {
		t.Errorf("operation %d is another's", k)
	}
	if err := of.Reassign(90, []int{1}); !errors.Is(err, ErrTooLate) {
		t.Errorf("the schedule has ended: %v", err)
	}
}

// TestClaimOfClosedLoop: what several workers claim for each of several owners is everything once, in
// blocks that hold as many as were asked for.
func TestClaimOfClosedLoop(t *testing.T) {
	r := random(t)
	for range 100 {
		n, ops := 1+r.IntN(4), 1+r.Uint64N(2000)
		p := anyPlan(r, n, ops)
		taken := make([]int, ops)
		var mu sync.Mutex
		for me := range n {
			of := p.share(t, me)
			total := of.Count(ops)
			var wg sync.WaitGroup
			for most := range uint64(3) {
				most = 1 + most*20
				wg.Go(func() {
					for {
						k, end := of.Claim(most, ops)
						if k == end {
							return
						}
						block := uint64(0)
						for ok := true; ok && k < end; k, ok = of.find(k + 1) {
							mu.Lock()
							taken[k]++
							mu.Unlock()
							block++
						}
						if block > most || block < most && end <= ops && of.Claimed() < total {
							t.Errorf("a block of %d operations, want %d", block, most)
						}
					}
				})
			}
			wg.Wait()
			if of.Claimed() != total {
				t.Errorf("%d are claimed in the end, want %d", of.Claimed(), total)
			}
			if err := of.Reassign(max(ops-1, p[len(p)-1].from), []int{me}); p[len(p)-1].from < ops && !errors.Is(err, ErrTooLate) {
				t.Errorf("after the end: %v", err)
			}
		}
		if i := slices.IndexFunc(taken, func(n int) bool { return n != 1 }); i >= 0 {
			t.Fatalf("%v: operation %d was taken %d times", p, i, taken[i])
		}
	}
}

func TestClaimOfShareAllocatesNothing(t *testing.T) {
	of := plan{{0, []int{0, 1, 2, 3}}, {500, []int{1, 0}}}.share(t, 1)
	for _, c := range []Config{{Rate: 1e5, Mine: of}, {Rate: 1e5, Poisson: true, Mine: of}} {
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(1000, func() { s.Claim() }); n != 0 {
			t.Errorf("%v: %v allocations per claim", c, n)
		}
	}
	if n := testing.AllocsPerRun(1000, func() { of.Claim(64, 0) }); n != 0 {
		t.Errorf("%v allocations per claim of a closed loop", n)
	}
}

// BenchmarkClaimShare is a claim of an owner of all, one of 4, and one of 200 slots, of which
// the others are passed over.
func BenchmarkClaimShare(b *testing.B) {
	for _, c := range []struct {
		name   string
		config Config
	}{
		{"constant", Config{Rate: 333_333}},
		{"poisson", Config{Rate: 333_333, Poisson: true}},
		{"ramp", Config{Rate: 1000, To: 1e6, Over: 1e6 * time.Hour}},
	} {
		for _, slots := range []int{0, 1, 4, 200} {
			b.Run(fmt.Sprintf("%s/slots=%d", c.name, slots), func(b *testing.B) {
				if slots > 0 {
					owners := make([]int, slots)
					owners[slots/2] = 1
					c.config.Mine, _ = NewShare(owners, 1)
				} else {
					c.config.Mine = nil
				}
				s, err := New(c.config)
				if err != nil {
					b.Fatal(err)
				}
				for range b.N {
					s.Claim()
				}
			})
		}
	}
}
