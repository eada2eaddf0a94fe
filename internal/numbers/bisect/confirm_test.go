package bisect

import (
	"fmt"
	"testing"
)

// confirm runs a Confirm on two levels whose forks are interleaved in random order.
func confirm(n *noise, by float64, o ConfirmOptions) Confirmation {
	c := NewConfirm(o)
	for k := c.Next(); k > 0; k = c.Next() {
		for range k {
			first := n.r.IntN(2)
			for _, side := range []int{first, 1 - first} {
				c.Add(side, n.fork(100*(1+by*float64(side))))
			}
		}
	}
	return c.Result()
}

func TestConfirm(t *testing.T) {
	for _, c := range []struct {
		cv, by   float64
		suspects int
		least    float64 // share that is confirmed; -1: at most 5 % are
	}{
		{0.02, 0.03, 10, 0.98}, {0.05, 0.03, 10, 0.98}, {0.08, 0.03, 10, 0.7}, {0.05, 0.05, 10, 0.98},
		{0.02, 0, 1, -1}, {0.05, 0, 1, -1}, {0.08, 0, 1, -1},
	} {
		got, forks := map[ConfirmState]int{}, 0
		n := trials(60)
		for i := range n {
			r := confirm(newNoise(uint64(i), c.cv), c.by, ConfirmOptions{Suspects: c.suspects})
			got[r.State]++
			forks += r.Forks
		}
		t.Logf("cv %g, step %g, %d suspects: %v of %d, forks mean %d", c.cv, c.by, c.suspects, got, n, forks/n)
		if what := fmt.Sprintf("cv %g, step %g", c.cv, c.by); c.least >= 0 {
			atLeast(t, what, got[Confirmed], n, c.least)
		} else {
			atLeast(t, what, n-got[Confirmed], n, 0.95)
		}
	}
}

func TestConfirmExact(t *testing.T) {
	for _, c := range []struct {
		old, new [2]float64
		want     ConfirmState
	}{{[2]float64{3, 3}, [2]float64{3, 3}, Refuted}, {[2]float64{0, 0}, [2]float64{0, 0}, Refuted}, {[2]float64{0, 0}, [2]float64{1, 1}, Confirmed}} {
		x := NewConfirm(ConfirmOptions{Exact: true})
		for i := range 2 {
			x.Add(0, c.old[i])
			x.Add(1, c.new[i])
		}
		if r := x.Result(); r.State != c.want || r.Forks != 4 || x.Next() != 0 {
			t.Errorf("%v against %v: %+v", c.old, c.new, r)
		}
	}
}
