package conntest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
)

// testClose: all calls fail after Close, those that wait at once.
func testClose(t *testing.T, w World) {
	a := w.Agents["a"]
	asked := make(chan bool, 1)
	subscribe(t, w.Controller, "hello", func(cluster.Message) { asked <- true })
	waiting := make(chan error, 2)
	go func() { _, err := a.Request(context.Background(), "hello", nil); waiting <- err }()
	<-asked
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if err := <-waiting; err == nil {
		t.Error("a request is not answered")
	}
	if err := a.Close(); err != nil {
		t.Errorf("again: %v", err)
	}
	if _, err := a.Request(soon(t), "hello", nil); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Request: %v", err)
	}
	if err := a.Deliver(soon(t), "data.a", "1", nil); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Deliver: %v", err)
	}
	if a.Publish("beat.a", nil) == nil {
		t.Error("Publish has no error")
	}
	if _, err := a.Subscribe("control", func(cluster.Message) {}); err == nil {
		t.Error("Subscribe has no error")
	}
	go func() {
		waiting <- w.Controller.Receive(context.Background(), "data.", func(cluster.Message) error { return nil })
	}()
	time.Sleep(20 * time.Millisecond) // Receive has begun, or has not: it must end either way
	if err := w.Controller.Close(); err != nil {
		t.Error(err)
	}
	if err := <-waiting; err == nil {
		t.Error("Receive has no error")
	}
}

// testRestart: every connection is notified, and subscriptions and stored messages are restored.
func testRestart(t *testing.T, w World) {
	var mu sync.Mutex
	changes := map[string][]bool{}
	all := map[string]cluster.Conn{"a": w.Agents["a"], "b": w.Agents["b"], "controller": w.Controller}
	for id, c := range all {
		c.OnChange(func(connected bool) {
			mu.Lock()
			defer mu.Unlock()
			changes[id] = append(changes[id], connected)
		})
	}
	subscribe(t, w.Controller, "hello", echo)
	if err := w.Agents["a"].Deliver(soon(t), "data.a", "1", []byte("x")); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		w.Restart()
		eventually(t, "not everybody is connected again", func() bool {
			mu.Lock()
			defer mu.Unlock()
			for id := range all {
				if len(changes[id]) < 2*n+2 {
					return false
				}
			}
			return true
		})
		eventually(t, "hello has no responder", func() bool {
			got, err := w.Agents["b"].Request(soon(t), "hello", []byte("x"))
			return err == nil && string(got) == "re: x"
		})
	}
	for id := range all {
		if got := fmt.Sprint(changes[id]); got != "[false true false true]" {
			t.Errorf("changes of %s: %s", id, got)
		}
	}
	got := receive(t, w.Controller, "data.")
	eventually(t, "what was stored is missing", func() bool { return got.count("data.a x") == 1 })
}

// testDeliverAcrossRestarts: what is delivered while the server is started anew arrives, all of it.
func testDeliverAcrossRestarts(t *testing.T, w World) {
	const messages = 200
	got := receive(t, w.Controller, "data.")
	var group sync.WaitGroup
	for id, c := range w.Agents {
		group.Go(func() {
			for i := range messages {
				if err := c.Deliver(soon(t), "data."+id, fmt.Sprint(id, i), fmt.Append(nil, i)); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	for range 3 {
		time.Sleep(50 * time.Millisecond)
		w.Restart()
	}
	group.Wait()
	eventually(t, "deliveries are missing", func() bool {
		seen := map[string]bool{}
		for _, m := range got.all() {
			seen[m] = true
		}
		return len(seen) == messages*len(w.Agents)
	})
}
