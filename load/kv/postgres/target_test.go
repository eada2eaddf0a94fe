package postgres

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// testStatements runs statements on a real server.
func testStatements(t *testing.T, server *servers.Server) {
	c, err := pgx.Connect(ctx, servers.PostgresDSN(server.Addr))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, "CREATE TABLE shop (id bigint PRIMARY KEY, name text NOT NULL); INSERT INTO shop SELECT i, 'item' || i FROM generate_series(0, 99) i"); err != nil {
		t.Fatal(err)
	}
	settings := func(props kv.Properties) kv.Settings {
		s := kv.Settings{Props: kv.Properties{"postgres.dsn": servers.PostgresDSN(server.Addr)}, Workers: 2, OpTimeout: 10 * time.Second, Seed: 7}
		s.Props.Merge(props)
		return s
	}
	open := func(t *testing.T, props kv.Properties) load.Target {
		t.Helper()
		target, err := OpenStatements(ctx, settings(props))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { target.Close() })
		return target
	}
	run := func(t *testing.T, target load.Target, n uint64) *load.Interval {
		t.Helper()
		total, err := load.Run(ctx, target, load.Config{Operations: n, Workers: 2}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return total
	}

	t.Run("mix", func(t *testing.T) {
		target := open(t, kv.Properties{
			"statement.FIND": "SELECT id, name FROM shop WHERE id >= $1 AND id < $2", "args.FIND": "0,{rand:5}", "weight.FIND": "2",
			"statement.ADD": "INSERT INTO shop VALUES ($1, $2)", "args.ADD": `{k:10},"{k}, again"`,
			"statement.NAME": "UPDATE shop SET name = $2 WHERE id = $1", "args.NAME": "{rand:100},it's",
			"statement.NONE": "DELETE FROM shop WHERE id = $1", "args.NONE": "-1",
		})
		total := run(t, target, 500)
		counts := map[string]int64{}
		for _, l := range total.Latencies {
			counts[l.Kind] += l.Hist.Count()
		}
		if total.Completed != 500 || counts["FIND"] < 150 || counts["ADD"] < 60 || counts["NAME"] < 60 || counts["NONE"] < 60 {
			t.Errorf("%v of %d", counts, total.Completed)
		}
		if n := total.Errors["constraint"]; n < 60 || n != total.Statuses["23505"] || total.Statuses["00000"] != 500-n {
			t.Errorf("errors %v, statuses %v", total.Errors, total.Statuses)
		}
		if len(total.Failures) != 1 || total.Failures[0].Name != "ADD" || total.Failures[0].Status != "23505" || !strings.Contains(total.Failures[0].First, "duplicate key") {
			t.Errorf("failures %+v", total.Failures)
		}
		if total.Errors["not_found"] < 60 {
			t.Errorf("what found nothing: %v", total.Errors)
		}
		if total.Rows < 200 || total.Rows > 2000 || total.Sent == 0 || total.Received == 0 {
			t.Errorf("%d rows, %d bytes sent, %d received", total.Rows, total.Sent, total.Received)
		}
		var changed int
		if err := c.QueryRow(ctx, "SELECT count(*) FROM shop WHERE name = 'it''s'").Scan(&changed); err != nil || changed == 0 {
			t.Errorf("no name was changed: %v", err)
		}
	})
	t.Run("errors", func(t *testing.T) {
		total := run(t, open(t, kv.Properties{"statement": "SELECT 1 / $1::int", "args": "{k:2}"}), 20)
		if !maps.Equal(total.Errors, map[string]int64{"data": 10}) || total.Statuses["22012"] != 10 || total.Rows != 10 {
			t.Errorf("division by zero: %v, %v, %d rows", total.Errors, total.Statuses, total.Rows)
		}
	})
	t.Run("timeout", func(t *testing.T) {
		s := settings(kv.Properties{"statement": "SELECT pg_sleep($1)", "args": "30"})
		s.OpTimeout = 200 * time.Millisecond
		target, err := OpenStatements(ctx, s)
		if err != nil {
			t.Fatal(err)
		}
		defer target.Close()
		if total := run(t, target, 2); total.Errors[load.ClassTimeout] != 2 {
			t.Errorf("%v: %v", total.Errors, total.First)
		}
	})
	t.Run("lost connection", func(t *testing.T) {
		target := open(t, kv.Properties{"statement": "SELECT $1::int", "args": "{k}"})
		w, err := target.Worker(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		do := func() error {
			w.Prepare(1)
			return w.Done(w.Do(ctx, &load.Timer{}))
		}
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Exec(ctx, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'tare' AND pid <> pg_backend_pid()"); err != nil {
			t.Fatal(err)
		}
		if err := do(); err == nil || load.Class(err) != load.ClassReset {
			t.Errorf("the session was ended: %v", err)
		}
		if err := do(); err != nil { // connects and prepares again
			t.Error(err)
		}
	})
	t.Run("open", func(t *testing.T) {
		for name, c := range map[string]struct {
			props kv.Properties
			want  string
		}{
			"no table":   {kv.Properties{"statement.A": "SELECT * FROM nowhere"}, `property statement.A: ERROR: relation "nowhere" does not exist (SQLSTATE 42P01)`},
			"two":        {kv.Properties{"statement": "SELECT 1; SELECT 2"}, "property statement: ERROR: cannot insert multiple commands"},
			"no args":    {kv.Properties{"statement": "SELECT $1::int"}, "property statement: it has 1 parameter, and there is no args"},
			"too many":   {kv.Properties{"statement.A": "SELECT 1", "args.A": "1,2"}, "property statement.A: it has 0 parameters, and args.A has 2 values"},
			"layout":     {kv.Properties{"statement": "SELECT 1", "postgres.layout": "jsonb"}, "property postgres.layout: statements have tables of their own"},
			"unknown":    {kv.Properties{"statement": "SELECT 1", "postgres.dns": "x"}, "did you mean postgres.dsn?"},
			"not loaded": {kv.Properties{"statement": "SELECT 1", "postgres.dsn": "host=192.0.2.1 password=" + sentinel}, "192.0.2.1:5432 is not on this machine"},
			"password":   {kv.Properties{"statement": "SELECT 1", "postgres.dsn": dsn(server.Addr, sentinel)}, "password authentication failed"},
		} {
			target, err := OpenStatements(ctx, settings(c.props))
			if err == nil {
				target.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "mnis") {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
		}
	})
	t.Run("allocations", func(t *testing.T) {
		if underRace {
			t.Skip("the race detector allocates")
		}
		target := open(t, kv.Properties{"statement": "SELECT id FROM shop WHERE id < $1", "args": "{rand:50}"})
		w, err := target.Worker(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		k, timer := uint64(0), &load.Timer{}
		if n := testing.AllocsPerRun(100, func() {
			k++
			w.Prepare(k)
			if err := w.Do(ctx, timer); err != nil && load.Class(err) != load.ClassNotFound {
				t.Fatal(err)
			}
		}); n > 1 { // pgx's text of the command's result
			t.Errorf("%v allocations for a statement, want 1", n)
		}
	})
}
