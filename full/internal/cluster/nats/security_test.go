package nats

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	natsgo "github.com/nats-io/nats.go"

	"github.com/tarebench/tare/full/internal/cluster"
)

// raw connects as an agent would that has other software.
func raw(t *testing.T, s *Server, name, token string) (*natsgo.Conn, error) {
	t.Helper()
	n, err := natsgo.Connect(s.URL(), natsgo.Token(token), natsgo.Name(name), natsgo.CustomInboxPrefix("tare.test.inbox.a"),
		natsgo.ErrorHandler(func(*natsgo.Conn, *natsgo.Subscription, error) {}), natsgo.MaxReconnects(0))
	if err == nil {
		t.Cleanup(n.Close)
	}
	return n, err
}

// TestNames: a name that would be a wildcard, or several parts of a subject, has no rights at all.
func TestNames(t *testing.T) {
	s := start(t, ServerConfig{})
	for _, name := range []string{"", "*", ">", "a.b", "a.>", "b c", " a"} {
		_, err := raw(t, s, name, s.Token())
		if name == "b c" { // an agent b, whose software is c
			if err != nil {
				t.Errorf("%q: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, natsgo.ErrAuthorization) {
			t.Errorf("%v: %q may connect", err, name)
		}
	}
	for _, token := range []string{"", "x", s.Token() + "x", s.Token()[1:], s.controller[1:]} {
		if _, err := raw(t, s, "a", token); !errors.Is(err, natsgo.ErrAuthorization) {
			t.Errorf("token %q: %v", token, err)
		}
	}
	if s.Token() == s.controller {
		t.Error("an agent can be the controller")
	}
}

// TestForgedAnswers: an agent that wants its answers elsewhere can neither speak in the name of the controller, nor remove
// what was delivered.
func TestForgedAnswers(t *testing.T) {
	s := start(t, ServerConfig{})
	controller := dial(t, DialConfig{Server: s})
	b := agent(t, s, "b")
	received := make(chan cluster.Message, 100)
	for _, subject := range []string{"control", "agent.b"} {
		if _, err := b.Subscribe(subject, func(m cluster.Message) { received <- m }); err != nil {
			t.Fatal(err)
		}
	}
	asked := make(chan bool, 100)
	if _, err := controller.Subscribe("hello", func(m cluster.Message) {
		if m.Answer != nil {
			_ = m.Answer([]byte("welcome"))
		}
		asked <- m.Answer != nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := b.Deliver(t.Context(), "data.b", "1", []byte("x")); err != nil {
		t.Fatal(err)
	}
	a, err := raw(t, s, "a", s.Token())
	if err != nil {
		t.Fatal(err)
	}
	for _, reply := range []string{"tare.test.control", "tare.test.agent.b", "tare.test.beat.b", "$JS.API.STREAM.DELETE.TARE_test"} {
		if err := a.PublishRequest("tare.test.hello", reply, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if <-asked {
			t.Errorf("an answer goes to %s", reply)
		}
	}
	for _, reply := range []string{
		"$JS.API.STREAM.PURGE.TARE_test", "$JS.API.STREAM.MSG.DELETE.TARE_test", "$JS.API.STREAM.DELETE.TARE_test",
		"$JS.API.STREAM.UPDATE.TARE_test", "$JS.API.CONSUMER.DELETE.TARE_test.x",
	} {
		for range 3 {
			if err := a.PublishRequest("tare.test.data.a", reply, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, subject := range []string{"$JS.API.STREAM.PURGE.TARE_test", "$JS.API.STREAM.INFO.TARE_test", "$JS.API.INFO", "$SYS.REQ.USER.INFO"} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if m, err := a.RequestWithContext(ctx, subject, nil); err == nil {
			t.Errorf("%s answers %q", subject, m.Data)
		}
		cancel()
	}
	if err := a.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := b.Deliver(t.Context(), "data.b", "2", []byte("last")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	count := 0
	_ = controller.Receive(ctx, "data.", func(m cluster.Message) error {
		if count++; string(m.Data) == "last" {
			cancel()
		}
		return nil
	})
	if count != 17 {
		t.Errorf("%d of 17 messages are left", count)
	}
	select {
	case m := <-received:
		t.Errorf("agent b hears %s: %q", m.Subject, m.Data)
	default:
	}
}

// TestAcknowledgementElsewhere: an agent can have the server acknowledge a delivery on a subject of others. That is text of the
// server, in its format; an agent's protocol must refuse it.
func TestAcknowledgementElsewhere(t *testing.T) {
	s := start(t, ServerConfig{})
	dial(t, DialConfig{Server: s})
	b := agent(t, s, "b")
	received := make(chan cluster.Message, 1)
	if _, err := b.Subscribe("control", func(m cluster.Message) { received <- m }); err != nil {
		t.Fatal(err)
	}
	a, err := raw(t, s, "a", s.Token())
	if err != nil {
		t.Fatal(err)
	}
	if err := a.PublishRequest("tare.test.data.a", "tare.test.control", []byte("stop")); err != nil {
		t.Fatal(err)
	}
	m := <-received
	if !strings.HasPrefix(string(m.Data), `{"stream":"TARE_test"`) || m.Answer != nil {
		t.Errorf("%q", m.Data)
	}
}
