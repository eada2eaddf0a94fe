package queuetest

import (
	"fmt"
	"slices"
)

// callbacks checks edge cases of Fill, Drain and All.
func callbacks(c Config) error {
	const asked = 8
	m := find(c.New(asked))
	if m.fill == nil && m.drain == nil && m.all == nil {
		return skipped("no Fill, Drain or All")
	}
	for range 5 { // more than once round
		for _, try := range []func(methods[int64], int) error{fills, drains, ranges} {
			if err := try(m, m.holds(asked)); err != nil {
				return err
			}
		}
	}
	return nil
}

// counter returns a callback for Fill that returns 0, 1, … and counts its calls.
func counter() (next func() int64, calls *int) {
	calls = new(int)
	return func() int64 {
		*calls++
		return int64(*calls - 1)
	}, calls
}

func fills(m methods[int64], holds int) error {
	if m.fill == nil {
		return nil
	}
	next, calls := counter()
	if n := m.fill(0, next); n != 0 || *calls != 0 {
		return finding("Fill with limit 0 returned %d and called its callback %d times", n, *calls)
	}
	want := min(holds, 50)
	in := 0
	for in < want {
		n := m.fill(min(3, want-in), next)
		if n == 0 {
			break
		}
		in += n
	}
	if in != want || *calls != want {
		return finding("Fill took %d elements of %d calls, there is room for %s", in, *calls, capacityText(holds))
	}
	if holds != unbounded {
		if n := m.fill(3, next); n != 0 || *calls != want {
			return finding("Fill of a full queue returned %d and called its callback %d times", n, *calls-want)
		}
	}
	m.publish()
	return expect(m, 0, want)
}

func drains(m methods[int64], holds int) error {
	if m.drain == nil {
		return nil
	}
	if err := enqueueAll(m, min(8, holds)); err != nil {
		return err
	}
	var got []int64
	take := func(v int64) { got = append(got, v) }
	if n := m.drain(0, take); n != 0 || len(got) != 0 {
		return finding("Drain with limit 0 returned %d and gave %v", n, got)
	}
	if n := m.drain(3, take); n != 3 || !slices.Equal(got, []int64{0, 1, 2}) {
		return finding("Drain with limit 3 returned %d and gave %v", n, got)
	}
	if err := hasRoom(m, holds, 3, "Drain"); err != nil {
		return err
	}
	n := 0
	for d := m.drain(100, take); d > 0; d = m.drain(100, take) {
		n += d
	}
	if n != len(got)-3 || len(got) < 8 || !slices.IsSorted(got[:8]) {
		return finding("Drain without end returned %d in all and gave %v", n, got[3:])
	}
	return isEmpty(m)
}

func ranges(m methods[int64], holds int) error {
	if m.all == nil {
		return nil
	}
	if err := enqueueAll(m, min(8, holds)); err != nil {
		return err
	}
	next := int64(0)
	for v := range m.all() {
		if v != next {
			return finding("All gave %d where %d is first", v, next)
		}
		if next++; next == 3 {
			break
		}
	}
	if err := hasRoom(m, holds, 3, "All"); err != nil {
		return err
	}
	for v := range m.all() {
		if v != next && v >= 0 {
			return finding("All gave %d after a break where %d is first", v, next)
		}
		next++
	}
	if next < 8 {
		return finding("All ended after %d of 8 elements", next)
	}
	return isEmpty(m)
}

// hasRoom returns an error unless n more elements fit: Drain and All must publish the
// room that they free, also when they end early. The elements that it adds are
// negative.
func hasRoom(m methods[int64], holds, n int, after string) error {
	if holds > 8 {
		return nil
	}
	for i := range n {
		if !m.enqueue(int64(-1 - i)) {
			return fmt.Errorf("%s took %d elements of a full queue and made room for %d", after, n, i)
		}
	}
	m.publish()
	return nil
}
