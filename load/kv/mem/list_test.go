package mem

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestListRandom inserts and removes at random and compares with a sorted slice;
// no level may hold what the lowest does not.
func TestListRandom(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	var l list
	l.init()
	in := map[string]*entry{}
	for step := range 20_000 {
		key := fmt.Sprint(rng.IntN(3000))
		if e := in[key]; e != nil && step%3 != 0 {
			l.remove(e)
			delete(in, key)
		} else if e == nil {
			in[key] = &entry{key: key}
			l.insert(in[key])
		}
		if step%4000 == 0 {
			checkList(t, &l, in)
		}
	}
	checkList(t, &l, in)
	if h := l.height.Load(); h < 4 || h > levels {
		t.Errorf("%d levels for %d entries", h, len(in))
	}
	l.clear()
	checkList(t, &l, nil)
}

func checkList(t *testing.T, l *list, in map[string]*entry) {
	t.Helper()
	var want []string
	for key := range in {
		want = append(want, key)
	}
	slices.Sort(want)
	for level := range levels {
		var got []string
		for e := l.head.links[level].Load(); e != nil; e = e.links[level].Load() {
			if in[e.key] != e {
				t.Fatalf("level %d holds %q, which was removed", level, e.key)
			}
			got = append(got, e.key)
		}
		if level == 0 && !slices.Equal(got, want) {
			t.Fatalf("%d entries, want %d", len(got), len(want))
		}
		if !slices.IsSorted(got) {
			t.Fatalf("level %d is not in order", level)
		}
	}
	for range 50 {
		key := fmt.Sprint(rand.IntN(4000))
		i, _ := slices.BinarySearch(want, key)
		switch e := l.seek([]byte(key)); {
		case i == len(want) && e != nil:
			t.Fatalf("seek(%q) = %q, want the end", key, e.key)
		case i < len(want) && (e == nil || e.key != want[i]):
			t.Fatalf("seek(%q) = %v, want %q", key, e, want[i])
		}
	}
}

// TestListWalkers walk while others change the list: they see what stays, once
// and in order, and come to an end.
func TestListWalkers(t *testing.T) {
	var l list
	l.init()
	const stay = 200
	for i := range stay {
		l.insert(&entry{key: fmt.Sprintf("%03d", i)})
	}
	var changing atomic.Int64
	changing.Store(2)
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			defer changing.Add(-1)
			for i := range 4000 {
				e := &entry{key: fmt.Sprintf("%03d-%d", i%stay, w)}
				l.insert(e)
				l.remove(e)
			}
		})
		wg.Go(func() {
			for n := 0; changing.Load() > 0 || n < 5; n++ {
				seen, last := 0, ""
				for e := l.seek([]byte("0")); e != nil; e = e.next() {
					if e.key <= last {
						t.Errorf("%q after %q", e.key, last)
						return
					}
					if last = e.key; len(last) == 3 {
						seen++
					}
				}
				if seen != stay {
					t.Errorf("walk %d saw %d of %d entries that were there all the time", n, seen, stay)
					return
				}
			}
		})
	}
	wg.Wait()
}
