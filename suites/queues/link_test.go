package queues

import (
	"math"
	"strings"
	"testing"
)

// TestCheck: a window in which something was lost, or came twice, does not pass.
func TestCheck(t *testing.T) {
	good := func() *Link {
		return &Link{setup: Setup{Producers: 2, Consumers: 1, Elem: Int64},
			tallies: []tally{{items: 10}, {items: 20}, {items: 30, sum: Int64.sumOf(10) + Int64.sumOf(20)}}}
	}
	if err := good().Check(); err != nil {
		t.Errorf("all came out: %v", err)
	}
	for name, spoil := range map[string]func(l *Link){
		"lost":      func(l *Link) { l.tallies[2].items--; l.tallies[2].sum -= 3 },
		"twice":     func(l *Link) { l.tallies[2].items++; l.tallies[2].sum += 3 },
		"exchanged": func(l *Link) { l.tallies[2].sum++ },
		"found":     func(l *Link) { l.rest = func(t *tally) { t.items++ } },
	} {
		l := good()
		spoil(l)
		if err := l.Check(); err == nil || !strings.Contains(err.Error(), "came out") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSumOf(t *testing.T) {
	for _, n := range []int64{0, 1, 2, many - 1, many, many + 1, 5*many + 7} {
		numbers, items := int64(0), int64(0)
		pool := newItems()
		for i := range n {
			numbers += i
			items += pool[i%many].id
		}
		if got := Int64.sumOf(n); got != numbers {
			t.Errorf("%d numbers: %d, want %d", n, got, numbers)
		}
		if got := Ptr.sumOf(n); got != items {
			t.Errorf("%d items: %d, want %d", n, got, items)
		}
	}
}

// TestKinds: names tell kinds apart, and each says which elements it has.
func TestKinds(t *testing.T) {
	if len(pumps) == 0 {
		t.Fatal("there are no loops: run go generate in suites/queues")
	}
	type way struct {
		queue string
		wait  Wait
		batch int
	}
	seen := map[way]bool{}
	for _, k := range Kinds() {
		if w := (way{k.Queue, k.Wait, k.Batch}); seen[w] {
			t.Errorf("%v is there twice", w)
		} else {
			seen[w] = true
		}
		if pumps[k.loops][Int64] == nil || pumps[k.loops][Ptr] == nil || k.Batch < 1 {
			t.Errorf("%s with %s lacks something", k.Queue, k.Wait)
		}
	}
}

func TestLineNs(t *testing.T) {
	if ns := LineNs(); !(ns > 0) || math.IsInf(ns, 0) {
		t.Errorf("a cache line takes %v ns", ns)
	}
}
