package conntest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
)

// testDeliver: who receives gets what was stored before and what comes later, of the prefix, in order. Others do, too.
func testDeliver(t *testing.T, w World) {
	deliver := func(id string, from, to int) {
		for i := from; i < to; i++ {
			if err := w.Agents[id].Deliver(soon(t), "data."+id, fmt.Sprint(id, i), fmt.Append(nil, i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	deliver("a", 0, 10)
	deliver("b", 0, 10)
	first, both := receive(t, w.Controller, "data.a"), receive(t, w.Controller, "data.")
	deliver("a", 10, 20)
	eventually(t, "deliveries are missing", func() bool { return len(first.all()) >= 20 && len(both.all()) >= 30 })
	if got := first.all(); !slices.Equal(got, numbered("data.a ", 20)) {
		t.Errorf("data.a: %q", got)
	}
	if got := both.all(); len(got) != 30 {
		t.Errorf("data.: %q", got)
	}
}

// testAgain: a message for which the function fails comes again, and does not hold up the others.
func testAgain(t *testing.T, w World) {
	var got inbox
	failures := 0
	startReceive(t, w.Controller, "data.", func(m cluster.Message) error {
		if string(m.Data) == "1" && failures < 5 {
			failures++
			return errors.New("a disk is full")
		}
		return got.receive(m)
	})
	for i := range 3 {
		if err := w.Agents["a"].Deliver(soon(t), "data.a", fmt.Sprint(i), fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the message that failed did not come again", func() bool { return len(got.all()) >= 3 })
	if got.count("data.a 1") != 1 || failures != 5 {
		t.Errorf("%q after %d failures", got.all(), failures)
	}
}

// testSameID: the same id may be delivered again, and arrives.
func testSameID(t *testing.T, w World) {
	got := receive(t, w.Controller, "data.")
	for range 3 {
		if err := w.Agents["a"].Deliver(soon(t), "data.a", "7", []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the delivery is missing", func() bool { return got.count("data.a x") >= 1 })
}

// testContext: every call that waits ends with its context.
func testContext(t *testing.T, w World) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.Agents["a"].Deliver(ended, "data.a", "1", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Deliver: %v", err)
	}
	if _, err := w.Agents["a"].Request(ended, "hello", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Request: %v", err)
	}
	if err := w.Controller.Receive(ended, "data.", func(cluster.Message) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Receive: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := w.Controller.Receive(ctx, "data.", func(cluster.Message) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Receive: %v", err)
	}
}

// testRights: an agent can neither speak as another or as the controller, nor listen to others.
func testRights(t *testing.T, w World) {
	a := w.Agents["a"]
	var seen inbox
	stop := subscribe(t, w.Agents["b"], "control", seen.add)
	subscribe(t, w.Agents["b"], "agent.b", seen.add)
	subscribe(t, w.Controller, "beat.>", seen.add)
	delivered := receive(t, w.Controller, "data.")
	for _, subject := range []string{"control", "agent.b", "beat.b", "data.b", "answers.controller", "other"} {
		_ = a.Publish(subject, []byte("forged")) // may fail, or have no receiver
	}
	if err := a.Deliver(soon(t), "data.b", "1", []byte("forged")); err == nil {
		t.Error("an agent delivers as another")
	}
	if _, err := a.Request(soon(t), "agent.b", []byte("forged")); err == nil {
		t.Error("an agent has an answer of another")
	}
	for _, subject := range []string{"agent.b", "agent.>", "beat.>", "data.>", "hello", "inbox.b.>", "answers.>"} {
		if _, err := a.Subscribe(subject, seen.add); err == nil {
			t.Errorf("an agent may listen to %s", subject)
		}
	}
	if err := a.Receive(soon(t), "data.", seen.receive); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an agent receives: %v", err)
	}
	// What was forged would arrive before this.
	if err := a.Publish("beat.a", []byte("last")); err != nil {
		t.Fatal(err)
	}
	if err := w.Controller.Publish("control", []byte("last")); err != nil {
		t.Fatal(err)
	}
	if err := a.Deliver(soon(t), "data.a", "1", []byte("last")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the last messages are missing", func() bool {
		return seen.count("beat.a last") == 1 && seen.count("control last") == 1 && delivered.count("data.a last") == 1
	})
	stop()
	if got := append(seen.all(), delivered.all()...); len(got) != 3 {
		t.Errorf("arrived: %q", got)
	}
}
