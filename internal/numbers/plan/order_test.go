package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestOrderGolden pins the order of a seed: a run that is resumed by a later
// version must have the order that it began with.
func TestOrderGolden(t *testing.T) {
	var got []string
	for round := 1; round <= 5; round++ {
		got = append(got, fmt.Sprint(Order(0x7f3a, round, 8)))
	}
	want := []string{
		"[3 0 4 5 6 7 1 2]",
		"[2 1 6 0 7 5 3 4]",
		"[7 4 6 5 1 3 2 0]",
		"[7 3 0 6 1 4 2 5]",
		"[7 4 1 2 0 5 6 3]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var names []string
	p := &Plan{Seed: 0x7f3a}
	for i, name := range []string{"a", "b", "c", "a", "b", "c"} {
		p.Cases = append(p.Cases, &record.Case{ID: i + 1, Name: name, Side: []string{"old", "new"}[i/3]})
	}
	for round := range 3 {
		for _, c := range p.shuffle(round) {
			names = append(names, c.Name+"-"+c.Side)
		}
	}
	const sides = "a-old a-new b-new b-old c-old c-new c-new c-old a-old a-new b-old b-new a-old a-new b-new b-old c-new c-old"
	if got := strings.Join(names, " "); got != sides {
		t.Errorf("got  %s\nwant %s", got, sides)
	}
}

// TestOrder: every round is a permutation, the same for the same seed and round,
// and no case is favoured.
func TestOrder(t *testing.T) {
	seed := record.Seed(rand.Uint64())
	t.Logf("seed %s", seed)
	const n, rounds = 7, 7000
	var first [n]int
	same := 0
	for round := range rounds {
		o := Order(seed, round, n)
		if !slices.Equal(o, Order(seed, round, n)) {
			t.Fatalf("round %d has two orders", round)
		}
		if slices.Equal(o, Order(seed, round+1, n)) {
			same++
		}
		first[o[0]]++
		slices.Sort(o)
		for i, x := range o {
			if i != x {
				t.Fatalf("round %d is no permutation", round)
			}
		}
	}
	for i, k := range first {
		if k < 800 || k > 1200 { // 1000 ± 7 standard deviations
			t.Errorf("case %d came first in %d of %d rounds", i, k, rounds)
		}
	}
	if same > 20 {
		t.Errorf("%d rounds repeat the one before", same)
	}
	if len(Order(seed, 1, 0)) != 0 {
		t.Error("an order of nothing")
	}
}

// TestShuffle: the sides of a benchmark follow each other, in either order.
func TestShuffle(t *testing.T) {
	p := &Plan{Seed: record.Seed(rand.Uint64())}
	t.Logf("seed %s", p.Seed)
	for i := range 12 {
		p.Cases = append(p.Cases, &record.Case{ID: i + 1, Name: fmt.Sprint(i % 4), Procs: 1 + i/8, Side: fmt.Sprint(i / 4 % 2)})
	}
	oldFirst := 0
	for round := range 1000 {
		order := p.shuffle(round)
		seen := map[int]bool{}
		for i, c := range order {
			seen[c.ID] = true
			partner := slices.IndexFunc(order, func(d *record.Case) bool { return d != c && d.Name == c.Name && d.Procs == c.Procs })
			if partner >= 0 && partner != i-1 && partner != i+1 {
				t.Fatalf("round %d: the sides of %s are not adjacent", round, c.Name)
			}
			if partner == i+1 && c.Side == "0" {
				oldFirst++
			}
		}
		if len(seen) != len(p.Cases) {
			t.Fatalf("round %d has %d cases", round, len(seen))
		}
	}
	if oldFirst < 1800 || oldFirst > 2200 { // of 4000 pairs, 2000 ± 6 standard deviations
		t.Errorf("the old side came first in %d of 4000", oldFirst)
	}
}
