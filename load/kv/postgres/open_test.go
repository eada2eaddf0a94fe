package postgres

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

var ctx = context.Background()

const sentinel = "geh/ei:mnis@x"

func settings(dsn string) kv.Settings {
	return kv.Settings{
		Props:     kv.Properties{"postgres.dsn": dsn},
		Table:     "usertable",
		Fields:    3,
		FieldName: func(i int) string { return "field" + string(rune('0'+i)) },
		Workers:   1,
		OpTimeout: 5 * time.Second,
	}
}

func record(values ...string) *kv.Record {
	var r kv.Record
	for i, v := range values {
		r.AppendString(i, v)
	}
	return &r
}

func dsn(addr, password string) string {
	host, port, _ := net.SplitHostPort(addr)
	return "host=" + host + " port=" + port + " user=tare dbname=postgres password='" + password + "'"
}

func testOpenErrors(t *testing.T, server *servers.Server) {
	down := servers.FreeAddr(t)
	rubbish, echo, silent := servers.Fake(t, servers.Rubbish), servers.Fake(t, servers.Echo), servers.Fake(t, servers.Silent)
	good := servers.PostgresDSN(server.Addr)
	for _, c := range []struct {
		name, dsn string
		change    func(*kv.Settings)
		class     string
		want      string
	}{
		{"down", dsn(down, sentinel), nil, load.ClassRefused, "postgres: cannot reach " + down + ": connection refused (start PostgreSQL"},
		{"not loopback", "postgres://me:" + sentinel + "@192.0.2.1/x", nil, "", "invalid connection string"},
		{"not loopback either", "host=192.0.2.1 password=" + sentinel, nil, "", "192.0.2.1:5432 is not on this machine, and was not allowed"},
		{"one of two is not", "host=127.0.0.1,192.0.2.1 password=" + sentinel, nil, "", "192.0.2.1:5432 is not on this machine"},
		{"no sense", "password=" + sentinel + " port=nonsense", nil, "", "invalid connection string"},
		{"wrong password", dsn(server.Addr, sentinel), nil, load.ClassServer, `password authentication failed for user "tare" (SQLSTATE 28P01) (set user and password`},
		{"no such database", strings.Replace(good, "/postgres?", "/nowhere?", 1), nil, load.ClassServer, `database "nowhere" does not exist`},
		{"layout", good, func(s *kv.Settings) { s.Props["postgres.layout"] = "rows" }, "", "property postgres.layout=rows: want columns, jsonb"},
		{"unknown", good, func(s *kv.Settings) { s.Props["postgres.layuot"] = "jsonb" }, "", "did you mean postgres.layout?"},
		{"long name", good, func(s *kv.Settings) { s.Table = strings.Repeat("x", 64) }, "", "PostgreSQL takes 1 to 63 bytes"},
		{"no name", good, func(s *kv.Settings) { s.Table = "" }, "", "PostgreSQL takes 1 to 63 bytes"},
		{"another layout", good, func(s *kv.Settings) { s.Table = "pg_tables" }, "", "table pg_tables is not of layout columns (it has other columns"},
		{"rubbish", dsn(rubbish, sentinel), nil, load.ClassProtocol, "log in at " + rubbish},
		{"echo", dsn(echo, sentinel), func(s *kv.Settings) { s.OpTimeout = time.Second }, "", "log in at " + echo},
		{"silent", dsn(silent, sentinel), func(s *kv.Settings) { s.OpTimeout = time.Second }, load.ClassTimeout, "log in at " + silent},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := settings(c.dsn)
			if c.change != nil {
				c.change(&s)
			}
			db, err := Open(ctx, s)
			if err == nil {
				db.Close()
				t.Fatal("no error")
			}
			if !strings.HasPrefix(err.Error(), "postgres: ") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q, want %q in it", err, c.want)
			}
			if got := load.Class(err); c.class != "" && got != c.class {
				t.Errorf("error %q of class %s, want %s", err, got, c.class)
			}
			for _, part := range []string{"geh", "ei:", "mnis", servers.PostgresPassword} {
				if strings.Contains(err.Error(), part) {
					t.Errorf("the error holds %q of the password: %v", part, err)
				}
			}
		})
	}
	t.Run("session", func(t *testing.T) { checkSessions(t, server) })
}

// checkSessions are checks that need one server after the other, which takes
// long to make.
func checkSessions(t *testing.T, server *servers.Server) {
	for _, form := range []string{layoutColumns, layoutJSONB} {
		t.Run("stored/"+form, func(t *testing.T) { checkStored(t, server, form) })
	}
	t.Run("allocations", func(t *testing.T) { checkAllocations(t, server) })
	t.Run("many shapes", func(t *testing.T) { checkShapes(t, server) })
	t.Run("turns bad", func(t *testing.T) { checkTurnsBad(t, server) })
	t.Run("run ends", func(t *testing.T) { checkRunEnds(t, server) })
	t.Run("restart", func(t *testing.T) { checkRestart(t, server) })
}

func begin(t *testing.T, s kv.Settings) *session {
	t.Helper()
	db, err := Binding().OpenDB(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	if name := db.Capabilities().Name; !strings.HasPrefix(name, "postgres 1") || !strings.Contains(name, " at 127.0.0.1:") {
		t.Errorf("name %q, want postgres VERSION at ADDRESS", name)
	}
	sess, err := db.Session(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		sess.Close()
		db.Close()
	})
	return sess.(*session)
}

// checkStored asks the server itself what is in the table.
func checkStored(t *testing.T, server *servers.Server, form string) {
	set := settings(servers.PostgresDSN(server.Addr))
	set.Table = "stored_" + form
	set.Props["postgres.layout"] = form
	s := begin(t, set)
	if err := s.Insert(ctx, []byte("k"), record("a", "b\x00\xff", "c")); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(ctx, []byte("k"), record("new")); err != nil {
		t.Fatal(err)
	}
	query, want := `SELECT concat_ws(' ', ycsb_key, field0, field1, field2) FROM stored_columns`, `k \x6e6577 \x6200ff \x63`
	if form == layoutJSONB {
		query, want = `SELECT ycsb_key || ' ' || data FROM stored_jsonb`, `k {"field0": "new", "field1": "bĀÿ", "field2": "c"}`
	}
	if got := ask(t, server, query); got != want {
		t.Errorf("stored %q, want %q", got, want)
	}
	if err := s.Insert(ctx, []byte("k"), record("only")); err != nil {
		t.Fatal(err)
	}
	var got kv.Record
	if err := s.Read(ctx, []byte("k"), nil, &got); err != nil || got.Len() != 1 {
		t.Errorf("an insert over a record leaves %d fields, %v, want 1", got.Len(), err)
	}
}

// ask returns the first column of the first row.
func ask(t *testing.T, server *servers.Server, query string) string {
	t.Helper()
	c, err := pgconn.Connect(ctx, servers.PostgresDSN(server.Addr))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	results, err := c.Exec(ctx, query).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return string(results[0].Rows[0][0])
}

// checkShapes uses more choices of fields than statements are kept.
func checkShapes(t *testing.T, server *servers.Server) {
	set := settings(servers.PostgresDSN(server.Addr))
	set.Table = "shapes"
	set.Fields = 10
	s := begin(t, set)
	if err := s.Insert(ctx, []byte("k"), record("0", "1", "2", "3", "4", "5", "6", "7", "8", "9")); err != nil {
		t.Fatal(err)
	}
	var got kv.Record
	for mask := 1; mask <= 2*maxStatements; mask++ {
		var fields []int
		for f := range 10 {
			if mask>>f&1 == 1 {
				fields = append(fields, f)
			}
		}
		if err := s.Read(ctx, []byte("k"), fields, &got); err != nil || got.Len() != len(fields) {
			t.Fatalf("fields %v: %d values, %v", fields, got.Len(), err)
		}
		if n := len(s.conn.prepared); n > maxStatements {
			t.Fatalf("%d statements are prepared, want at most %d", n, maxStatements)
		}
	}
	if err := s.Read(ctx, []byte("k"), []int{10}, &got); load.Class(err) != load.ClassUnsupported {
		t.Errorf("a field that the table does not have: error %v", err)
	}
	if err := s.Update(ctx, []byte("k"), record("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10")); load.Class(err) != load.ClassUnsupported {
		t.Errorf("update of such a field: error %v", err)
	}
}

func checkTurnsBad(t *testing.T, server *servers.Server) {
	for name, c := range map[string]struct {
		serve func(net.Conn)
		class string
	}{
		"rubbish": {servers.Rubbish, load.ClassProtocol},
		"silent":  {servers.Silent, load.ClassTimeout},
		"closing": {servers.Closing, load.ClassReset},
	} {
		t.Run(name, func(t *testing.T) {
			const delay = 20 * time.Millisecond
			addr, turn := servers.Turning(t, servers.Relay(server.Addr, delay), c.serve)
			set := settings(servers.PostgresDSN(addr))
			set.OpTimeout = time.Minute
			s := begin(t, set)
			began := time.Now()
			if err := s.Insert(ctx, []byte("k"), record("1", "2", "3")); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took < delay {
				t.Errorf("took %v with answers %v late", took, delay)
			}
			turn()
			var got kv.Record
			if err := s.Read(ctx, []byte("k"), nil, &got); load.Class(err) != load.ClassReset {
				t.Errorf("the connection that was lost: error %v of class %s", err, load.Class(err))
			}
			if c.class == load.ClassTimeout {
				s.timeout, s.config.ConnectTimeout = 300*time.Millisecond, 300*time.Millisecond
			}
			for range 2 {
				err := s.Read(ctx, []byte("k"), nil, &got)
				if load.Class(err) != c.class {
					t.Errorf("error %v of class %s, want %s", err, load.Class(err), c.class)
				}
				if err != nil && strings.Contains(err.Error(), servers.PostgresPassword) {
					t.Errorf("the error holds the password: %v", err)
				}
			}
		})
	}
}

// checkRunEnds cancels the run while an operation waits that has no timeout.
func checkRunEnds(t *testing.T, server *servers.Server) {
	set := settings(servers.PostgresDSN(server.Addr))
	set.OpTimeout = 0
	db, err := Open(ctx, set)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run, cancel := context.WithCancel(ctx)
	s, err := db.Session(run, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	locked, err := pgconn.Connect(ctx, servers.PostgresDSN(server.Addr))
	if err != nil {
		t.Fatal(err)
	}
	defer locked.Close(ctx)
	if err := locked.Exec(ctx, "BEGIN; LOCK TABLE usertable").Close(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	var got kv.Record
	if err := s.Read(run, []byte("k"), nil, &got); load.Class(err) != load.ClassCanceled {
		t.Errorf("error %v of class %s, want canceled", err, load.Class(err))
	}
}

// checkRestart has a session that goes on after the server was restarted, with
// the same data.
func checkRestart(t *testing.T, server *servers.Server) {
	s := begin(t, settings(servers.PostgresDSN(server.Addr)))
	if err := s.Insert(ctx, []byte("k"), record("1", "2", "3")); err != nil {
		t.Fatal(err)
	}
	server.Kill(t)
	var got kv.Record
	for range 3 {
		err := s.Read(ctx, []byte("k"), nil, &got)
		if c := load.Class(err); c != load.ClassReset && c != load.ClassRefused {
			t.Errorf("error %v of class %s, want reset or refused", err, c)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
	}
	server.Start(t)
	if err := s.Read(ctx, []byte("k"), nil, &got); err != nil || got.Len() != 3 {
		t.Errorf("after the restart: %d fields, %v, want 3", got.Len(), err)
	}
}
