package pace

import (
	"testing"
	"time"
)

// alarms is a sleeper that spins until the time it is given, and keeps these times.
type alarms struct {
	pacer *Pacer
	at    []int64
}

func (a *alarms) sleep(_, due int64) error {
	a.at = append(a.at, due)
	for a.pacer.Now() < due {
	}
	return nil
}

func (a *alarms) interrupt()   {}
func (a *alarms) close() error { return nil }

// TestSleepsOfWait: Wait divides its sleep if the operation is due long after the one before, and counts what it spins.
func TestSleepsOfWait(t *testing.T) {
	if lead > int64(time.Second) {
		t.Skip("this system does not divide sleeps")
	}
	g := group(t, Hybrid, nil)
	p := pacer(t, g)
	if err := p.sleeper.close(); err != nil {
		t.Fatal(err)
	}
	a := &alarms{pacer: p}
	p.sleeper = a
	for _, c := range []struct {
		gap     int64 // between the due time of the operation before and this one
		divided bool
	}{{3 * lead, true}, {lead, false}} {
		due := p.Now() + int64(20*time.Millisecond)
		g.latest.Store(due - c.gap)
		a.at = nil
		if _, _, err := p.Wait(due); err != nil {
			t.Fatal(err)
		}
		if len(a.at) == 0 {
			continue // this process had no processor for 20 ms
		}
		if before := due - a.at[0]; (before > lead) != c.divided {
			t.Errorf("due %d ns after the operation before: the first sleep ends %d ns before the due time", c.gap, before)
		}
	}
	for range 1000 {
		if _, _, err := p.Wait(p.Now() + leastMargin); err != nil {
			t.Fatal(err)
		}
		if g.wake.spun.Load() > 0 {
			return
		}
	}
	t.Error("no time was counted as spent spinning")
}
