package nats

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/tarebench/tare/full/internal/cluster"
)

// fakeMessage has a place in the stream, and in what a reader was sent.
type fakeMessage struct {
	jetstream.Msg
	stream, reader uint64
	subject        string
}

func (m fakeMessage) Metadata() (*jetstream.MsgMetadata, error) {
	return &jetstream.MsgMetadata{Sequence: jetstream.SequencePair{Stream: m.stream, Consumer: m.reader}}, nil
}
func (m fakeMessage) Subject() string { return m.subject }
func (m fakeMessage) Data() []byte    { return nil }

// TestGap: a message that did not arrive is noticed by the next one, which is left for the session that follows.
func TestGap(t *testing.T) {
	var got []string
	r := &receiver{conn: &conn{group: "test"}, prefix: "data.a", queue: retryQueue{f: func(m cluster.Message) error {
		got = append(got, m.Subject)
		return nil
	}}}
	for _, c := range []struct {
		m    fakeMessage
		want error
		last uint64
	}{
		{fakeMessage{stream: 3, reader: 1, subject: "tare.test.data.a"}, nil, 3},
		{fakeMessage{stream: 7, reader: 2, subject: "tare.test.data.b"}, nil, 7}, // the filter is wider than the prefix
		{fakeMessage{stream: 9, reader: 4, subject: "tare.test.data.a"}, errGap, 7},
		{fakeMessage{stream: 8, reader: 3, subject: "tare.test.data.ab"}, nil, 8},
	} {
		if err := r.take(c.m); !errors.Is(err, c.want) || r.last != c.last {
			t.Errorf("%+v: %v, last %d", c.m, err, r.last)
		}
	}
	if fmt.Sprint(got) != "[data.a data.ab]" {
		t.Errorf("%q", got)
	}
}

// TestIdle: a last message that was sent and did not arrive is noticed by asking the server, and the next session has it.
func TestIdle(t *testing.T) {
	s := start(t, ServerConfig{})
	controller, a := dial(t, DialConfig{Server: s}).(*conn), agent(t, s, "a")
	var got []string
	r := &receiver{conn: controller, prefix: "data.", queue: retryQueue{f: func(m cluster.Message) error {
		got = append(got, string(m.Data))
		return nil
	}}}
	for _, text := range []string{"1", "2"} {
		if err := a.Deliver(t.Context(), "data.a", text, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	reader, err := r.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		m, err := reader.Next()
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			continue // it did not arrive
		}
		if err := r.take(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.checkIdle(t.Context(), reader); !errors.Is(err, errGap) {
		t.Errorf("a missing message: %v", err)
	}
	if reader, err = r.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	m, err := reader.Next()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.take(m), r.checkIdle(t.Context(), reader)); err != nil {
		t.Error(err)
	}
	if fmt.Sprint(got) != "[1 2]" {
		t.Errorf("%q", got)
	}
}

// TestStreamMadeAnew: who receives goes on when the stream was removed and made again, from its beginning.
func TestStreamMadeAnew(t *testing.T) {
	s := start(t, ServerConfig{})
	controller, a := dial(t, DialConfig{Server: s}), agent(t, s, "a")
	got := make(chan string, 10)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- controller.Receive(ctx, "data.", func(m cluster.Message) error { got <- string(m.Data); return nil })
	}()
	for _, text := range []string{"1", "2", "3"} {
		if err := a.Deliver(t.Context(), "data.a", text, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if m := <-got; m != text {
			t.Errorf("%q", m)
		}
	}
	if err := Remove(t.Context(), controller); err != nil {
		t.Fatal(err)
	}
	if err := a.Deliver(t.Context(), "data.a", "1", []byte("again")); err != nil {
		t.Fatal(err)
	}
	if m := <-got; m != "again" {
		t.Errorf("%q", m)
	}
	cancel()
	<-done
}

// TestRetryQueue: at random, each message is handled until it succeeds, not before it is time and never after.
func TestRetryQueue(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random, now := rand.New(rand.NewPCG(seed, 0)), time.Unix(0, 0)
	succeeded, tried := map[string]bool{}, map[string]time.Time{}
	q := retryQueue{f: func(m cluster.Message) error {
		if succeeded[m.Subject] {
			t.Errorf("%s is handled again", m.Subject)
		}
		if last, ok := tried[m.Subject]; ok && now.Sub(last) < retryWait {
			t.Errorf("%s is handled again after %s", m.Subject, now.Sub(last))
		}
		tried[m.Subject] = now
		if random.IntN(3) > 0 {
			return errors.New("not now")
		}
		succeeded[m.Subject] = true
		return nil
	}}
	n := 0
	for ; n < 1000 || !q.isEmpty(); now = now.Add(time.Duration(random.IntN(int(retryWait)))) {
		if n < 1000 && !q.isFull() {
			q.first(cluster.Message{Subject: fmt.Sprint(n)}, now)
			n++
		}
		if random.IntN(2) == 0 {
			q.run(now)
		}
	}
	if len(succeeded) != n {
		t.Errorf("%d of %d succeeded", len(succeeded), n)
	}
}
