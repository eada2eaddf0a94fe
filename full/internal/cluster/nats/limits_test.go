package nats

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/link"
)

// TestFull: a stream that is full refuses what comes, and keeps what was acknowledged.
func TestFull(t *testing.T) {
	s := start(t, ServerConfig{MaxBytes: 1 << 20})
	controller := dial(t, DialConfig{Server: s, MaxBytes: 1 << 20})
	a, data := agent(t, s, "a"), make([]byte, 64<<10)
	stored := 0
	var err error
	for ; stored < 100; stored++ {
		if err = a.Deliver(t.Context(), "data.a", fmt.Sprint(stored), data); err != nil {
			break
		}
	}
	if err == nil || errors.Is(err, context.DeadlineExceeded) || stored < 10 || stored > 16 {
		t.Fatalf("after %d messages: %v", stored, err)
	}
	t.Logf("after %d messages: %v", stored, err)
	got := 0
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_ = controller.Receive(ctx, "data.", func(cluster.Message) error {
		if got++; got == stored {
			cancel()
		}
		return nil
	})
	if got != stored {
		t.Errorf("%d of %d are left", got, stored)
	}
}

// TestServerLimit: the limit of a team's server is named, and nothing is sent again and again.
func TestServerLimit(t *testing.T) {
	url := "nats://" + teamServer(t, natsserver.Options{JetStream: true, MaxPayload: 1000})
	dial(t, DialConfig{URL: url})
	a := dial(t, DialConfig{URL: url, ID: "a", Agent: true})
	_, err := a.Request(t.Context(), "hello", make([]byte, 1001))
	for _, err := range []error{err, a.Publish("beat.a", make([]byte, 1001)), a.Deliver(t.Context(), "data.a", "1", make([]byte, 1001))} {
		if err == nil || !strings.Contains(err.Error(), "1001 bytes") || !strings.Contains(err.Error(), "at most 1000") {
			t.Error(err)
		}
	}
	if err := a.Deliver(t.Context(), "data.a", "1", make([]byte, 1000)); err == nil { // the id is sent besides
		t.Error("the id has no room, and no error")
	}
}

// TestDropped: what a slow handler loses is counted, also of a subscription that has ended.
func TestDropped(t *testing.T) {
	s := start(t, ServerConfig{})
	controller, a := dial(t, DialConfig{Server: s}), agent(t, s, "a")
	block, received := make(chan bool), make(chan bool, 1)
	cancel, err := controller.Subscribe("beat.a", func(cluster.Message) {
		select {
		case received <- true:
		default:
		}
		<-block
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := Dropped(controller); n != 0 {
		t.Errorf("%d dropped at first", n)
	}
	for range maxPending + 1000 {
		if err := a.Publish("beat.a", nil); err != nil {
			t.Fatal(err)
		}
	}
	<-received
	for end := time.Now().Add(20 * time.Second); Dropped(controller) < 500; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d dropped", Dropped(controller))
		}
	}
	close(block)
	cancel()
	if n := Dropped(controller); n < 500 {
		t.Errorf("%d dropped after the end", n)
	}
}

// TestCloseWithoutWaiting: a handler that never ends holds up Close for a limited time only.
func TestCloseWithoutWaiting(t *testing.T) {
	s := start(t, ServerConfig{})
	controller, a := dial(t, DialConfig{Server: s}), agent(t, s, "a")
	block, received := make(chan bool), make(chan bool)
	defer close(block)
	if _, err := controller.Subscribe("beat.a", func(cluster.Message) { received <- true; <-block }); err != nil {
		t.Fatal(err)
	}
	if err := a.Publish("beat.a", nil); err != nil {
		t.Fatal(err)
	}
	<-received
	closed := make(chan bool)
	go func() { controller.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(20 * time.Second):
		t.Error("Close waits for a handler")
	}
}

// TestPublishedBeforeClose: what was published is sent before the connection ends.
func TestPublishedBeforeClose(t *testing.T) {
	s := start(t, ServerConfig{})
	controller := dial(t, DialConfig{Server: s})
	received := make(chan string, 1)
	if _, err := controller.Subscribe("beat.>", func(m cluster.Message) { received <- m.Subject }); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		id := fmt.Sprint("a", i)
		a := agent(t, s, id)
		if err := a.Publish("beat."+id, nil); err != nil {
			t.Fatal(err)
		}
		a.Close()
		select {
		case subject := <-received:
			if subject != "beat."+id {
				t.Error(subject)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the last message is lost")
		}
	}
}

// TestServerGone: without a server every call ends by its context, and Close ends at once.
func TestServerGone(t *testing.T) {
	s := start(t, ServerConfig{})
	controller, a := dial(t, DialConfig{Server: s}), agent(t, s, "a")
	changed := make(chan bool, 1)
	a.OnChange(func(connected bool) { changed <- connected })
	s.Close()
	if <-changed {
		t.Error("connected")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := a.Deliver(ctx, "data.a", "1", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if _, err := a.Request(ctx, "hello", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := a.Publish("beat.a", nil); !errors.Is(err, link.ErrLost) {
		t.Error(err)
	}
	if err := controller.Receive(ctx, "data.", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	for _, c := range []cluster.Conn{a, controller} {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestGoroutines: servers and connections leave none behind.
func TestGoroutines(t *testing.T) {
	round := func() {
		s := start(t, ServerConfig{})
		controller, a := dial(t, DialConfig{Server: s}), agent(t, s, "a")
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		got := make(chan bool, 1)
		go func() {
			done <- controller.Receive(ctx, "data.", func(cluster.Message) error { got <- true; return nil })
		}()
		if err := a.Deliver(ctx, "data.a", "1", nil); err != nil {
			t.Fatal(err)
		}
		<-got
		cancel()
		<-done
		a.Close()
		controller.Close()
		s.Close()
	}
	round()
	before := runtime.NumGoroutine()
	for range 10 {
		round()
	}
	for end := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before+5; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			text := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, text[:runtime.Stack(text, true)])
		}
	}
}
