package faulty

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/link"
)

// bubble runs a test in fake time.
func bubble(t *testing.T, f func(*testing.T)) { synctest.Test(t, f) }

// within returns a context that ends after a time.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// collect returns what a controller receives until the returned function is called.
func collect(t *testing.T, c cluster.Conn) func() []string {
	var mu sync.Mutex
	var got []string
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- c.Receive(ctx, "data.", func(m cluster.Message) error {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, m.Subject+" "+string(m.Data))
			return nil
		})
	}()
	return func() []string { cancel(); <-done; return got }
}

// publish returns which of n numbered messages arrive, in their order.
func publish(t *testing.T, seed uint64, f Faults, n int) (got []string) {
	bubble(t, func(t *testing.T) {
		network := New(seed)
		controller, agents := open(t, network, f, "a")
		if _, err := controller.Subscribe("beat.a", func(m cluster.Message) { got = append(got, string(m.Data)) }); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if err := agents["a"].Publish("beat.a", fmt.Appendf(nil, "%04d", i)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
	})
	return got
}

// TestShares: as many are lost, doubled and late as asked, by the seed alone.
func TestShares(t *testing.T) {
	const n = 500
	for name, c := range map[string]struct {
		f        Faults
		from, to int // messages that arrive
		sorted   bool
	}{
		"none":    {Faults{}, n, n, true},
		"delay":   {Faults{MinDelay: time.Millisecond, MaxDelay: time.Second}, n, n, true},
		"loss":    {Faults{Loss: 0.25}, n * 65 / 100, n * 85 / 100, true},
		"all":     {Faults{Loss: 1}, 0, 0, true},
		"double":  {Faults{Duplicate: 0.25}, n * 115 / 100, n * 135 / 100, true},
		"reorder": {Faults{Reorder: 0.25}, n, n, false},
		"limit":   {Faults{QueueLimit: 10, MinDelay: time.Hour / 1000}, 10, n - 1, true},
	} {
		got := publish(t, 1, c.f, n)
		if len(got) < c.from || len(got) > c.to || slices.IsSorted(got) != c.sorted {
			t.Errorf("%s: %d arrived, sorted %v; want %d to %d, sorted %v", name, len(got), slices.IsSorted(got), c.from, c.to, c.sorted)
		}
		if !slices.Equal(got, publish(t, 1, c.f, n)) {
			t.Errorf("%s: the same seed gives something else", name)
		}
		if name == "loss" && slices.Equal(got, publish(t, 2, c.f, n)) {
			t.Errorf("%s: another seed gives the same", name)
		}
	}
}

// TestDeliverThroughFaults: with every fault at once, what was acknowledged arrives, and nothing else does.
func TestDeliverThroughFaults(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := network(t)
		controller, agents := open(t, n, Faults{Duplicate: 0.1, StoreLoss: 0.2, AckLoss: 0.2, MaxDelay: 50 * time.Millisecond}, "a", "b", "c")
		got := collect(t, controller)
		want := map[string]bool{}
		var mu sync.Mutex
		var group sync.WaitGroup
		for id, c := range agents {
			group.Go(func() {
				for i := range 60 {
					if err := c.Deliver(t.Context(), "data."+id, fmt.Sprint(id, i), fmt.Append(nil, i)); err != nil {
						t.Error(err)
					}
					mu.Lock()
					want[fmt.Sprintf("data.%s %d", id, i)] = true
					mu.Unlock()
				}
			})
		}
		for i := range 20 {
			time.Sleep(time.Second)
			n.Partition("a", i%4 == 0)
			n.Partition("controller", i%5 == 0)
			if i%6 == 0 {
				n.Restart()
			}
		}
		group.Wait()
		time.Sleep(time.Hour)
		arrived, all := map[string]bool{}, got()
		for _, m := range all {
			if arrived[m] = true; !want[m] {
				t.Errorf("%s was not delivered", m)
			}
		}
		if len(arrived) != len(want) {
			t.Errorf("%d of %d arrived", len(arrived), len(want))
		}
		if len(all) < len(want)*12/10 {
			t.Errorf("%d messages for %d: hardly any twice", len(all), len(want))
		}
	})
}

// TestAckLost: the message is stored though Deliver fails, and again when it is delivered again.
func TestAckLost(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := network(t)
		controller, agents := open(t, n, Faults{AckLoss: 1}, "a")
		got := collect(t, controller)
		if err := agents["a"].Deliver(within(t, ackTimeout/2), "data.a", "1", []byte("x")); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		n.Set(Faults{})
		for range 2 { // the second is known
			if err := agents["a"].Deliver(t.Context(), "data.a", "1", []byte("x")); err != nil {
				t.Error(err)
			}
		}
		synctest.Wait()
		if all := got(); fmt.Sprint(all) != "[data.a x data.a x]" {
			t.Errorf("%q", all)
		}
	})
}

// TestFull: Deliver fails, and says why.
func TestFull(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := network(t)
		_, agents := open(t, n, Faults{Full: true}, "a")
		if err := agents["a"].Deliver(t.Context(), "data.a", "1", nil); err == nil || !strings.Contains(err.Error(), "no room") {
			t.Error(err)
		}
	})
}

// TestRequestFaults: a lost request is not received, and a lost answer is not known. Both calls fail when the context ends.
func TestRequestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		f        Faults
		received int
	}{"request": {Faults{RequestLoss: 1}, 0}, "answer": {Faults{AnswerLoss: 1}, 1}, "late": {Faults{MinDelay: time.Second}, 1}} {
		bubble(t, func(t *testing.T) {
			controller, agents := open(t, network(t), c.f, "a")
			received := 0
			if _, err := agents["a"].Subscribe("agent.a", func(m cluster.Message) { received++; _ = m.Answer(nil) }); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			_, err := controller.Request(within(t, 3*time.Second/2), "agent.a", nil)
			synctest.Wait()
			if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != 3*time.Second/2 || received != c.received {
				t.Errorf("%s: %v after %s, received %d times", name, err, took, received)
			}
		})
	}
}

// TestPartition: a separated client is notified at once, and the server detects it later.
func TestPartition(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := network(t)
		controller, agents := open(t, n, Faults{}, "a", "b")
		a, changes := agents["a"], []bool{}
		a.OnChange(func(connected bool) { changes = append(changes, connected) })
		received := 0
		if _, err := a.Subscribe("agent.a", func(m cluster.Message) { received++; _ = m.Answer(nil) }); err != nil {
			t.Fatal(err)
		}
		n.Partition("a", true)
		n.Partition("a", true)
		if _, err := controller.Request(within(t, time.Second), "agent.a", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("at once: %v", err)
		}
		time.Sleep(detectTime)
		if _, err := controller.Request(t.Context(), "agent.a", nil); !errors.Is(err, cluster.ErrNoResponders) {
			t.Errorf("later: %v", err)
		}
		if err := a.Publish("beat.a", nil); !errors.Is(err, link.ErrLost) {
			t.Error(err)
		}
		if err := a.Deliver(within(t, time.Second), "data.a", "1", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		delivered := make(chan error, 1)
		go func() { delivered <- a.Deliver(t.Context(), "data.a", "1", nil) }()
		time.Sleep(time.Hour)
		n.Partition("a", false)
		if err := <-delivered; err != nil {
			t.Error(err)
		}
		_, err := controller.Request(t.Context(), "agent.a", nil)
		synctest.Wait()
		if err != nil || received != 1 {
			t.Errorf("%v, received %d", err, received)
		}
		if fmt.Sprint(changes) != "[false true]" {
			t.Error(changes)
		}
	})
}

// TestKill: messages that were not delivered are lost, the subjects have no responders, and a client that returns has a new
// connection.
func TestKill(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := network(t)
		controller, agents := open(t, n, Faults{MinDelay: time.Second}, "a", "b")
		got := collect(t, controller)
		if _, err := agents["a"].Subscribe("agent.a", func(m cluster.Message) { _ = m.Answer(nil) }); err != nil {
			t.Fatal(err)
		}
		delivered := make(chan error, 1)
		go func() { delivered <- agents["a"].Deliver(t.Context(), "data.a", "1", []byte("lost")) }()
		time.Sleep(time.Second / 2)
		n.Kill("a")
		if err := <-delivered; !errors.Is(err, link.ErrClosed) {
			t.Error(err)
		}
		if _, err := controller.Request(t.Context(), "agent.a", nil); !errors.Is(err, cluster.ErrNoResponders) {
			t.Error(err)
		}
		again := n.Conn("a", true)
		defer again.Close()
		if err := again.Deliver(t.Context(), "data.a", "2", []byte("x")); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		if all := got(); fmt.Sprint(all) != "[data.a x]" {
			t.Errorf("%q", all)
		}
	})
}

// TestStop: while the server is down no client is connected, and messages in transit are lost.
func TestStop(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := network(t)
		controller, agents := open(t, n, Faults{MinDelay: time.Second}, "a")
		beats := 0
		if _, err := controller.Subscribe("beat.a", func(cluster.Message) { beats++ }); err != nil {
			t.Fatal(err)
		}
		if err := agents["a"].Publish("beat.a", nil); err != nil {
			t.Fatal(err)
		}
		asked := make(chan error, 1)
		go func() { _, err := agents["a"].Request(t.Context(), "beat.a", nil); asked <- err }()
		time.Sleep(time.Second / 2)
		n.Stop()
		if err := <-asked; !errors.Is(err, link.ErrLost) {
			t.Errorf("a request that was sent: %v", err)
		}
		late := n.Conn("b", true)
		defer late.Close()
		if err := late.Publish("beat.b", nil); !errors.Is(err, link.ErrLost) {
			t.Errorf("a connection made meanwhile: %v", err)
		}
		time.Sleep(time.Minute)
		n.Start()
		if err := agents["a"].Publish("beat.a", nil); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if beats != 1 {
			t.Errorf("%d beats", beats)
		}
	})
}
