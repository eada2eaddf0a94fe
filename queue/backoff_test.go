package queue

import "testing"

// TestBackoffAdapts follows the length of the waits through what came after them.
func TestBackoffAdapts(t *testing.T) {
	for name, c := range map[string]struct {
		capacity int
		worked   []int // after each wait
		want     int   // the length of the wait that follows
	}{
		"first":                    {1024, []int{0}, minWait},
		"few and ever more":        {1024, []int{1, 2, 3, 4, 5, 6, 7}, minWait << 7},
		"one by one stays cheap":   {1024, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, cheapWait},
		"enough":                   {1024, []int{1, 2, 3, 200, 200}, minWait << 3},
		"many":                     {1024, []int{1, 2, 3, 1000}, minWait << 2},
		"many in a small queue":    {16, []int{1, 1, 9}, minWait << 1},
		"nothing once":             {1024, []int{1, 2, 3, 0}, minWait << 3},
		"nothing twice":            {1024, []int{1, 2, 3, 0, 0}, minWait << 2},
		"never below the least":    {1024, []int{0, 0, 0, 0, 0}, minWait},
		"never above the most":     {-1, []int{1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7}, maxWait},
		"few in the least of all":  {2, []int{1, 1, 1}, minWait},
		"unbounded, zero or made":  {-1, []int{7, 513}, minWait},
		"more than half is enough": {1024, []int{1, 2, 512}, minWait << 2},
	} {
		b := NewBackoff(c.capacity)
		b.length = minWait
		for _, n := range c.worked {
			b.Worked(n)
			b.adapt()
		}
		if b.length != c.want {
			t.Errorf("%s: length %d, want %d", name, b.length, c.want)
		}
	}
}

// TestBackoffEndsInSleep: a waiting goroutine does not keep a core busy for long.
func TestBackoffEndsInSleep(t *testing.T) {
	var b Backoff
	for range waitsUntilSleep + 3 {
		b.Wait()
	}
	if b.emptyWaits < waitsUntilSleep {
		t.Errorf("%d waits in emptyWaits counted, want at least %d", b.emptyWaits, waitsUntilSleep)
	}
	b.Worked(100)
	b.adapt()
	if b.emptyWaits != 0 {
		t.Errorf("%d waits in emptyWaits after work, want 0", b.emptyWaits)
	}
}
