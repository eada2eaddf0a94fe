package redis

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

var ctx = context.Background()

// begin opens a database and a session of it.
func begin(t *testing.T, s kv.Settings) kv.Session {
	t.Helper()
	db, err := Open(ctx, s)
	if err != nil {
		t.Fatal(err)
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

func values(texts ...string) *kv.Record {
	var r kv.Record
	for i, v := range texts {
		r.AppendString(i, v)
	}
	return &r
}

// TestWhatIsStored asks the server itself.
func TestWhatIsStored(t *testing.T) {
	server := servers.Redis(t)
	s := begin(t, settings(kv.Properties{"redis.addr": server.Addr, "redis.db": "2"}))
	client, err := redis.Dial("tcp", server.Addr, redis.DialDatabase(2))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ask := func(want, command string, args ...any) {
		t.Helper()
		got, err := redis.Strings(client.Do(command, args...))
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s %v: %q, want %q", command, args, text, want)
		}
	}
	for _, key := range []string{"b", "a"} {
		if err := s.Insert(ctx, []byte(key), values("x", "y", "z")); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Update(ctx, []byte("a"), values("new")); err != nil {
		t.Fatal(err)
	}
	ask("field0 new field1 y field2 z", "hgetall", "usertable:a")
	ask("a 0 b 0", "zrange", "usertable", "0", "-1", "withscores")
	if err := s.Insert(ctx, []byte("a"), values("only")); err != nil {
		t.Fatal(err)
	}
	ask("field0 only", "hgetall", "usertable:a")
	if err := s.Delete(ctx, []byte("a")); err != nil {
		t.Fatal(err)
	}
	ask("b", "zrange", "usertable", "0", "-1")
	ask("usertable:b", "keys", "*:*")
}

// TestForeignFields has a hash with a field that no workload knows.
func TestForeignFields(t *testing.T) {
	server := servers.Redis(t)
	wide := settings(kv.Properties{"redis.addr": server.Addr})
	wide.Fields = 5
	if err := begin(t, wide).Insert(ctx, []byte("k"), values("0", "1", "2", "3", "4")); err != nil {
		t.Fatal(err)
	}
	var got kv.Record
	if err := begin(t, settings(kv.Properties{"redis.addr": server.Addr})).Read(ctx, []byte("k"), nil, &got); err != nil || got.Len() != 3 {
		t.Errorf("%d fields, %v, want 3", got.Len(), err)
	}
}

// TestWrongType has something else under the key.
func TestWrongType(t *testing.T) {
	server := servers.Redis(t)
	s := settings(kv.Properties{"redis.addr": server.Addr})
	s.Table = "usertable:k" // its sorted set lies where the record of another table should
	if err := begin(t, s).Insert(ctx, []byte("x"), values("1", "2", "3")); err != nil {
		t.Fatal(err)
	}
	s.Table = "usertable"
	var got kv.Record
	err := begin(t, s).Read(ctx, []byte("k"), nil, &got)
	if load.Class(err) != load.ClassServer || !strings.Contains(err.Error(), "WRONGTYPE") {
		t.Errorf("error %v of class %s", err, load.Class(err))
	}
}

// TestSlow has answers that come late, but in time.
func TestSlow(t *testing.T) {
	const delay = 50 * time.Millisecond
	server := servers.Redis(t)
	s := begin(t, settings(kv.Properties{"redis.addr": servers.Fake(t, servers.Relay(server.Addr, delay))}))
	began := time.Now()
	if err := s.Insert(ctx, []byte("k"), values("1", "2", "3")); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took < delay {
		t.Errorf("took %v with answers %v late", took, delay)
	}
}

// TestTurnsBad has a server that answers the first requests and then rubbish,
// nothing, or not at all.
func TestTurnsBad(t *testing.T) {
	server := servers.Redis(t)
	for name, c := range map[string]struct {
		serve func(net.Conn)
		class string
	}{
		"rubbish": {servers.Rubbish, load.ClassProtocol},
		"silent":  {servers.Silent, load.ClassTimeout},
		"closing": {servers.Closing, load.ClassReset},
		"odd hash": {func(conn net.Conn) {
			for {
				if _, err := conn.Read(make([]byte, 4096)); err != nil {
					return
				}
				conn.Write([]byte("*1\r\n$1\r\nx\r\n"))
			}
		}, load.ClassProtocol},
	} {
		t.Run(name, func(t *testing.T) {
			addr, turn := servers.Turning(t, servers.Relay(server.Addr, 0), c.serve)
			set := settings(kv.Properties{"redis.addr": addr})
			set.OpTimeout = time.Minute
			s := begin(t, set)
			if err := s.Insert(ctx, []byte("k"), values("1", "2", "3")); err != nil {
				t.Fatal(err)
			}
			turn()
			var got kv.Record
			if err := s.Read(ctx, []byte("k"), nil, &got); load.Class(err) != load.ClassReset {
				t.Errorf("the connection that was lost: error %v of class %s", err, load.Class(err))
			}
			if c.class == load.ClassTimeout {
				s.(*session).timeout = 300 * time.Millisecond
			}
			for range 2 {
				if err := s.Read(ctx, []byte("k"), nil, &got); load.Class(err) != c.class {
					t.Errorf("error %v of class %s, want %s", err, load.Class(err), c.class)
				}
			}
		})
	}
}

// TestRunEnds cancels the run while an operation waits.
func TestRunEnds(t *testing.T) {
	server := servers.Redis(t)
	addr, turn := servers.Turning(t, servers.Relay(server.Addr, 0), servers.Silent)
	set := settings(kv.Properties{"redis.addr": addr})
	set.OpTimeout = 0 // none
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
