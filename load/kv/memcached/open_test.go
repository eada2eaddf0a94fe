package memcached

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

var ctx = context.Background()

func settings(addr string) kv.Settings {
	return kv.Settings{
		Props:     kv.Properties{"memcached.addr": addr},
		Table:     "usertable",
		Fields:    3,
		FieldName: func(i int) string { return "field" + string(rune('0'+i)) },
		Workers:   1,
		OpTimeout: 5 * time.Second,
	}
}

func TestParseAddr(t *testing.T) {
	for _, c := range []struct{ url, prop, want string }{
		{"", "", "127.0.0.1:11211"},
		{"memcached://", "", "127.0.0.1:11211"},
		{"memcached://localhost:7/", "", "localhost:7"},
		{"memcached://[::1]", "", "[::1]:11211"},
		{"memcached://localhost:7", "/run/m.sock", "/run/m.sock"},
	} {
		s := kv.Settings{URL: c.url, Props: kv.Properties{}}
		if c.prop != "" {
			s.Props["memcached.addr"] = c.prop
		}
		if got, err := parseAddr(s); err != nil || got != c.want {
			t.Errorf("%q %q: %q, %v, want %q", c.url, c.prop, got, err, c.want)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	gone := servers.Memcached(t)
	gone.Kill(t)
	rubbish, silent := servers.Fake(t, servers.Rubbish), servers.Fake(t, servers.Silent)
	for _, c := range []struct{ name, url, addr, class, want string }{
		{"down", "", gone.Addr, load.ClassRefused,
			"memcached: cannot reach " + gone.Addr + ": connection refused (start memcached, or set its address: -p memcached.addr=host:port)"},
		{"not loopback", "memcached://192.0.2.1", "", "", "192.0.2.1:11211 is not on this machine, and was not allowed"},
		{"bad URL", "memcached://127.0.0.1/x?y", "", "", "invalid URL"},
		{"rubbish", "", rubbish, load.ClassProtocol, rubbish + " does not answer as memcached does"},
		{"silent", "", silent, load.ClassTimeout, silent + " does not answer as memcached does"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := settings(c.addr)
			s.URL = c.url
			if s.OpTimeout = time.Minute; c.class == load.ClassTimeout {
				s.OpTimeout = time.Second // is all that ends it
			}
			if c.addr == "" {
				s.Props = nil
			}
			db, err := Open(ctx, s)
			if err == nil {
				db.Close()
				t.Fatal("no error")
			}
			if !strings.HasPrefix(err.Error(), "memcached: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q, want %q in it", err, c.want)
			}
			if got := load.Class(err); c.class != "" && got != c.class {
				t.Errorf("error %q of class %s, want %s", err, got, c.class)
			}
		})
	}
}

func begin(t *testing.T, s kv.Settings) kv.Session {
	t.Helper()
	db, err := Binding().OpenDB(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	if name := db.Capabilities().Name; !strings.HasPrefix(name, "memcached 1.") {
		t.Errorf("name %q, want memcached VERSION at ADDRESS", name)
	}
	session, err := db.Session(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		db.Close()
	})
	return session
}

// TestServerErrors has a value that the server does not take.
func TestServerErrors(t *testing.T) {
	server := servers.Memcached(t)
	s := begin(t, settings(server.Addr))
	err := s.Insert(ctx, []byte("k"), record("a", "b", strings.Repeat("x", 2<<20)))
	if load.Class(err) != load.ClassServer {
		t.Errorf("a value of 2 MB: error %v of class %s", err, load.Class(err))
	}
	if err := s.Insert(ctx, []byte("k"), record("a", "b", "c")); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestForeignValue has something else under the key.
func TestForeignValue(t *testing.T) {
	server := servers.Memcached(t)
	s := begin(t, settings(server.Addr))
	c, err := net.Dial("tcp", server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Write([]byte("set usertable:k 0 0 5\r\n\x00\x63abc\r\n"))
	if _, err := c.Read(make([]byte, 64)); err != nil {
		t.Fatal(err)
	}
	var got kv.Record
	if err := s.Read(ctx, []byte("k"), nil, &got); load.Class(err) != load.ClassProtocol {
		t.Errorf("read: error %v", err)
	}
	if err := s.Update(ctx, []byte("k"), record("a")); load.Class(err) != load.ClassProtocol {
		t.Errorf("update: error %v", err)
	}
}

func TestSlow(t *testing.T) {
	const delay = 50 * time.Millisecond
	server := servers.Memcached(t)
	s := begin(t, settings(servers.Fake(t, servers.Relay(server.Addr, delay))))
	began := time.Now()
	if err := s.Insert(ctx, []byte("k"), record("1", "2", "3")); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took < delay {
		t.Errorf("took %v with answers %v late", took, delay)
	}
}

func TestTurnsBad(t *testing.T) {
	server := servers.Memcached(t)
	for name, c := range map[string]struct {
		serve func(net.Conn)
		class string
	}{
		"rubbish":   {servers.Rubbish, load.ClassProtocol},
		"long line": {func(c net.Conn) { c.Write([]byte(strings.Repeat("x", 1<<16))); servers.Silent(c) }, load.ClassProtocol},
		"silent":    {servers.Silent, load.ClassTimeout},
		"closing":   {servers.Closing, load.ClassReset},
	} {
		t.Run(name, func(t *testing.T) {
			addr, turn := servers.Turning(t, servers.Relay(server.Addr, 0), c.serve)
			set := settings(addr)
			set.OpTimeout = time.Minute
			s := begin(t, set)
			if err := s.Insert(ctx, []byte("k"), record("1", "2", "3")); err != nil {
				t.Fatal(err)
			}
			turn()
			var got kv.Record
			if err := s.Read(ctx, []byte("k"), nil, &got); load.Class(err) != load.ClassReset {
				t.Errorf("the connection that was lost: error %v of class %s", err, load.Class(err))
			}
			if c.class == load.ClassTimeout {
				s.(*session).client.Timeout = 300 * time.Millisecond
			}
			for range 2 {
				if err := s.Read(ctx, []byte("k"), nil, &got); load.Class(err) != c.class {
					t.Errorf("error %v of class %s, want %s", err, load.Class(err), c.class)
				}
			}
		})
	}
}

// TestRunEnds cancels the run while an operation waits that has no timeout.
func TestRunEnds(t *testing.T) {
	server := servers.Memcached(t)
	addr, turn := servers.Turning(t, servers.Relay(server.Addr, 0), servers.Silent)
	set := settings(addr)
	set.OpTimeout = 0
	db, err := Open(ctx, set)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	turn()
	run, cancel := context.WithCancel(ctx)
	s, err := db.Session(run, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	time.AfterFunc(20*time.Millisecond, cancel)
	var got kv.Record
	if err := s.Read(run, []byte("k"), nil, &got); load.Class(err) != load.ClassCanceled {
		t.Errorf("error %v of class %s, want canceled", err, load.Class(err))
	}
}
