package conntest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
)

// testRequest: the answer is that of who serves the subject, for both sides.
func testRequest(t *testing.T, w World) {
	subscribe(t, w.Controller, "hello", echo)
	subscribe(t, w.Agents["a"], "agent.a", echo)
	for _, text := range []string{"", "x", "\x00\r\nPING\r\n"} {
		if got, err := w.Agents["b"].Request(soon(t), "hello", []byte(text)); err != nil || string(got) != "re: "+text {
			t.Errorf("hello: %q, %v", got, err)
		}
		if got, err := w.Controller.Request(soon(t), "agent.a", []byte(text)); err != nil || string(got) != "re: "+text {
			t.Errorf("agent.a: %q, %v", got, err)
		}
	}
}

// testNoResponders: a request without responders fails at once. One that is not answered fails when its context ends.
func testNoResponders(t *testing.T, w World) {
	if _, err := w.Controller.Request(soon(t), "agent.none", nil); !errors.Is(err, cluster.ErrNoResponders) {
		t.Errorf("no responder: %v", err)
	}
	subscribe(t, w.Agents["a"], "agent.a", func(cluster.Message) {})
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := w.Controller.Request(ctx, "agent.a", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("no answer: %v", err)
	}
}

// testOrder: messages of a subscription arrive in order, one at a time.
func testOrder(t *testing.T, w World) {
	var b inbox
	var running sync.Mutex
	subscribe(t, w.Agents["a"], "control", func(m cluster.Message) {
		if !running.TryLock() {
			t.Error("two messages at a time")
			return
		}
		defer running.Unlock()
		if m.Answer != nil {
			t.Error("a message that was published can be answered")
		}
		b.add(m)
	})
	want := numbered("control ", 300)
	for i := range want {
		if err := w.Controller.Publish("control", fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "messages are missing", func() bool { return len(b.all()) >= len(want) })
	if got := b.all(); !slices.Equal(got, want) {
		t.Errorf("another order: %q", got)
	}
}

// testWildcard: a subject that ends in ".>" stands for all below it, and not for itself.
func testWildcard(t *testing.T, w World) {
	var all, none inbox
	subscribe(t, w.Controller, "beat.>", all.add)
	subscribe(t, w.Controller, "bea.>", none.add)
	subscribe(t, w.Controller, "beat", none.add)
	for _, id := range []string{"a", "b"} {
		if err := w.Agents[id].Publish("beat."+id, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "beats are missing", func() bool { return all.count("beat.a x") == 1 && all.count("beat.b x") == 1 })
	if got := none.all(); len(got) > 0 {
		t.Errorf("arrived at other subjects: %q", got)
	}
}

// testCancel: a subscription that was cancelled gets nothing, the others do.
func testCancel(t *testing.T, w World) {
	var one, other inbox
	cancel := subscribe(t, w.Controller, "beat.a", one.add)
	subscribe(t, w.Controller, "beat.a", other.add)
	cancel()
	cancel() // again does nothing
	if err := w.Agents["a"].Publish("beat.a", []byte("x")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the message is missing", func() bool { return other.count("beat.a x") == 1 })
	if got := one.all(); len(got) > 0 {
		t.Errorf("arrived though it was cancelled: %q", got)
	}
	subscribe(t, w.Agents["a"], "agent.a", echo)()
	if _, err := w.Controller.Request(soon(t), "agent.a", nil); !errors.Is(err, cluster.ErrNoResponders) {
		t.Errorf("a request to who has cancelled: %v", err)
	}
}

// testSizes: the largest message arrives in every way, a larger one is refused.
func testSizes(t *testing.T, w World) {
	largest := bytes.Repeat([]byte{0xa5}, cluster.MaxMessage)
	larger := append(largest, 0)
	refused := make(chan error, 2)
	subscribe(t, w.Controller, "hello", func(m cluster.Message) {
		refused <- m.Answer(larger)
		if err := m.Answer(largest); err != nil {
			t.Error(err)
		}
	})
	a := w.Agents["a"]
	if got, err := a.Request(soon(t), "hello", largest); err != nil || !bytes.Equal(got, largest) {
		t.Errorf("request: %d bytes, %v", len(got), err)
	}
	mention(t, <-refused, "1048577")
	got := receive(t, w.Controller, "data.")
	if err := a.Deliver(soon(t), "data.a", "1", largest); err != nil {
		t.Error(err)
	}
	eventually(t, "the delivery is missing", func() bool { return got.count("data.a "+string(largest)) == 1 })
	_, err := a.Request(soon(t), "hello", larger)
	mention(t, err, "1048577")
	mention(t, a.Publish("beat.a", larger), "1048577")
	mention(t, a.Deliver(soon(t), "data.a", "2", larger), "1048577")
}

// testConcurrent: all methods at once, from many goroutines.
func testConcurrent(t *testing.T, w World) {
	subscribe(t, w.Controller, "hello", echo)
	got := receive(t, w.Controller, "data.")
	var group sync.WaitGroup
	for i := range 8 {
		for id, c := range w.Agents {
			group.Go(func() {
				for n := range 20 {
					text := fmt.Sprintf("%s %d %d", id, i, n)
					if answer, err := c.Request(soon(t), "hello", []byte(text)); err != nil || string(answer) != "re: "+text {
						t.Errorf("%s: %q, %v", text, answer, err)
					}
					if err := c.Deliver(soon(t), "data."+id, text, []byte(text)); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
	eventually(t, "deliveries are missing", func() bool { return len(got.all()) >= 320 })
}
