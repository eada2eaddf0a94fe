package grpc

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

func TestCalls(t *testing.T) {
	s := serve(t, options{})
	file := filepath.Join(t.TempDir(), "body.json")
	if err := os.WriteFile(file, []byte(`{"id":"file {k}"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, method, body string
		want               string // what the server saw of operation 7
	}{
		{"empty", "Get", "", ""},
		{"fixed", "Get", `{"id":"x"}`, "x"},
		{"number", "Get", `{"id":"{k}"}`, "7"},
		{"modulo and random", "Get", `{"id":"{k:5} {rand:1}","number":{k}}`, "2 0"},
		{"of a file", "Get", "@" + file, "file 7"},
		{"field names of both kinds", "Get", `{"id":"a","price":{"cents":"12"},"at":"2026-01-02T03:04:05Z"}`, "a"},
		{"server stream", "Watch", `{"id":"w{k}"}`, "w7"},
		{"client stream, array", "Upload", `[{"id":"a"}, {"id":"{k}"}]`, "a+7"},
		{"client stream, lines", "Upload", "{\"id\":\"a\"}\n{\"id\":\"b\"}\n", "a+b"},
		{"client stream, one", "Upload", `{"id":"a"}`, "a"},
		{"client stream, none", "Upload", `[]`, ""},
		{"both", "Talk", `[{"id":"a"},{"id":"b"},{"id":"{k}"}]`, "a+b+7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			props := kv.Properties{}
			if c.body != "" {
				props["grpc.body"] = c.body
			}
			w := user(t, kv.Settings{URL: "grpc://" + s.addr + "/shop.Orders/" + c.method, Props: props, OpTimeout: time.Minute})
			for range 2 {
				if err := send(w, 7); err != nil {
					t.Fatal(err)
				}
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if got := s.seen[len(s.seen)-1]; got != c.want {
				t.Errorf("the server saw %q, want %q", got, c.want)
			}
			if s.left <= 0 || s.left > time.Minute {
				t.Errorf("the server has %v until the deadline, want up to a minute", s.left)
			}
			if kinds := w.Kinds(); len(kinds) != 1 || kinds[0] != c.method {
				t.Errorf("kinds %v", kinds)
			}
			var traffic load.Traffic
			w.AddTraffic(&traffic)
			if traffic.Statuses["OK"] != 2 || traffic.Sent == 0 || traffic.Received == 0 {
				t.Errorf("traffic %+v", traffic)
			}
		})
	}
}

// TestLongTalk sends more than the windows of a stream before it reads answers, were it to
// send all first.
func TestLongTalk(t *testing.T) {
	s := serve(t, options{})
	one := `{"id":"` + strings.Repeat("x", 64<<10) + `"}` + "\n"
	w := user(t, kv.Settings{URL: "grpc://" + s.addr + "/shop.Orders/Talk", Props: kv.Properties{"grpc.body": strings.Repeat(one, 40)}, OpTimeout: time.Minute})
	for k := range uint64(2) {
		if err := send(w, k); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMetadata(t *testing.T) {
	s := serve(t, options{})
	w := user(t, kv.Settings{URL: "grpc://" + s.addr + "/shop.Orders/Get", Props: kv.Properties{
		"grpc.header.X-Tenant": "seven", "grpc.header.Authorization": "Bearer sentinel", "grpc.header.raw-bin": "AAEC", "grpc.header.User-Agent": "test",
		"grpc.body": `{"do":"code 7"}`,
	}})
	err := send(w, 0)
	for name, want := range map[string]string{"x-tenant": "seven", "authorization": "Bearer sentinel", "raw-bin": "\x00\x01\x02", "content-type": "application/grpc+proto"} {
		if got := s.md.Get(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := s.md.Get("user-agent"); len(got) != 1 || !strings.HasPrefix(got[0], "test grpc-go/") {
		t.Errorf("user agent %q", got)
	}
	if s.left != 0 {
		t.Errorf("a deadline of %v without grpc.timeout", s.left)
	}
	if err == nil || load.Class(err) != load.ClassClient || load.Status(err) != "PermissionDenied" {
		t.Errorf("error %v of class %s, status %s", err, load.Class(err), load.Status(err))
	}
	redacted := load.Mask(err, "sentinel")
	if w.secrets[0] != "Bearer sentinel" || strings.Contains(redacted.Error(), "sentinel") {
		t.Errorf("secrets %q", w.secrets)
	}
}

func TestCodes(t *testing.T) {
	s := serve(t, options{})
	for _, c := range []struct {
		do, expect    string
		class, status string
	}{
		{"code 0", "OK", "", ""},
		{"code 0", "NotFound", load.ClassStatus, "OK"},
		{"code 1", "OK", load.ClassCanceled, "Canceled"},
		{"code 2", "OK", load.ClassServer, "Unknown"},
		{"code 3", "OK", load.ClassClient, "InvalidArgument"},
		{"code 4", "OK", load.ClassTimeout, "DeadlineExceeded"},
		{"code 5", "OK", load.ClassClient, "NotFound"},
		{"code 5", "OK, not_found", "", ""},
		{"code 8", "OK", load.ClassServer, "ResourceExhausted"},
		{"code 12", "OK", load.ClassUnsupported, "Unimplemented"},
		{"code 13", "OK", load.ClassServer, "Internal"},
		{"code 14", "OK", load.ClassServer, "Unavailable"},
		{"code 14", "0,14", "", ""},
		{"code 16", "OK", load.ClassClient, "Unauthenticated"},
		{"code 77", "OK", load.ClassServer, "Code(77)"},
	} {
		for _, method := range []string{"Get", "Watch", "Upload", "Talk"} {
			w := user(t, kv.Settings{URL: "grpc://" + s.addr + "/shop.Orders/" + method, OpTimeout: time.Minute,
				Props: kv.Properties{"grpc.body": `{"do":"` + c.do + `"}`, "grpc.expect": c.expect}})
			err := send(w, 0)
			if load.Class(err) != c.class || load.Status(err) != c.status {
				t.Errorf("%s, %s expecting %s: %v of class %q, status %q; want %q, %q", method, c.do, c.expect, err, load.Class(err), load.Status(err), c.class, c.status)
			}
		}
	}
}

func TestDeadline(t *testing.T) {
	s := serve(t, options{})
	for _, method := range []string{"Get", "Watch", "Upload", "Talk"} {
		w := user(t, kv.Settings{URL: "grpc://" + s.addr + "/shop.Orders/" + method, Props: kv.Properties{"grpc.body": `{"do":"hang"}`, "grpc.timeout": "100ms", "grpc.expect": "OK,Canceled"}})
		for k := range uint64(2) {
			if err := send(w, k); load.Class(err) != load.ClassTimeout {
				t.Errorf("%s: error %v of class %q, want timeout", method, err, load.Class(err))
			}
		}
	}
}

func TestCanceled(t *testing.T) {
	s := serve(t, options{})
	target, err := Open(t.Context(), kv.Settings{URL: "grpc://" + s.addr + "/shop.Orders/Get", Props: kv.Properties{"grpc.body": `{"do":"hang"}`}})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	run, cancel := context.WithCancel(t.Context())
	w, err := target.Worker(run, 0)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, cancel)
	for range 2 {
		w.Prepare(0)
		if err := w.Do(run, nil); load.Class(err) != load.ClassCanceled {
			t.Errorf("error %v of class %s, want canceled", err, load.Class(err))
		}
	}
	w.Close()
	w.Close()
}

// TestEngine runs the target as tare load does.
func TestEngine(t *testing.T) {
	s := serve(t, options{streams: 1})
	target, err := Open(t.Context(), kv.Settings{URL: "grpc://" + s.addr + "/shop.Orders/Get", Props: kv.Properties{"grpc.body": `{"id":"{k}"}`}, OpTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	total, err := load.Run(t.Context(), target, load.Config{Workers: 4, Operations: 400}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if total.Completed != 400 || len(total.Errors) != 0 || total.Statuses["OK"] != 400 || total.Sent == 0 || total.Received == 0 {
		t.Errorf("%+v", total.Load)
	}
}
