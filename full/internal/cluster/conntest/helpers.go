package conntest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
)

// patience is how long a test waits for what must happen.
const patience = 20 * time.Second

// soon returns a context for a call that must succeed.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %s: %s", patience, what)
		}
	}
}

// inbox collects messages.
type inbox struct {
	mu  sync.Mutex
	got []string // "subject data"
}

func (b *inbox) add(m cluster.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.got = append(b.got, m.Subject+" "+string(m.Data))
}

func (b *inbox) receive(m cluster.Message) error { b.add(m); return nil }

func (b *inbox) all() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.got...)
}

func (b *inbox) count(message string) (n int) {
	for _, m := range b.all() {
		if m == message {
			n++
		}
	}
	return n
}

// subscribe fails the test if it fails.
func subscribe(t *testing.T, c cluster.Conn, subject string, f func(cluster.Message)) (cancel func()) {
	t.Helper()
	cancel, err := c.Subscribe(subject, f)
	if err != nil {
		t.Fatal(err)
	}
	return cancel
}

// echo answers what it is asked.
func echo(m cluster.Message) {
	if m.Answer != nil {
		_ = m.Answer(append([]byte("re: "), m.Data...)) // who asked sees that there is no answer
	}
}

// receive runs Receive until the test ends, and returns what arrives.
func receive(t *testing.T, c cluster.Conn, prefix string) *inbox {
	b := &inbox{}
	startReceive(t, c, prefix, b.receive)
	return b
}

func startReceive(t *testing.T, c cluster.Conn, prefix string, f func(cluster.Message) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Receive(ctx, prefix, f) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err == nil {
			t.Error("Receive returns no error when its context ends")
		}
	})
}

// mention fails the test unless an error is there and contains a text.
func mention(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v: it does not mention %q", err, text)
	}
}

func numbered(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return out
}
