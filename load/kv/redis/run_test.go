package redis

import (
	"fmt"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
	"github.com/tarebench/tare/record"
)

// TestServerGoesAway kills the server in the middle of a run and starts it again:
// the schedule is kept, what failed is counted, and the run goes on.
func TestServerGoesAway(t *testing.T) {
	server := servers.Redis(t)
	c, err := ycsb.ParseConfig(kv.Properties{"recordcount": "100", "readproportion": "0.5", "updateproportion": "0.5"})
	if err != nil {
		t.Fatal(err)
	}
	set := settings(kv.Properties{"redis.addr": server.Addr})
	set.Fields = c.FieldCount
	db, err := Open(ctx, set)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	target, err := ycsb.New(c, db)
	if err != nil {
		t.Fatal(err)
	}
	// The server may take its time to start; then the run is too short to tell.
	for length := 2 * time.Second; ; length *= 4 {
		said := goesAway(t, server, target, length)
		if said == "" {
			return
		}
		if length > 30*time.Second {
			t.Fatal(said)
		}
		t.Logf("in %v %s", length, said)
	}
}

// goesAway is one run. It returns what did not happen that should, but may need
// more time.
func goesAway(t *testing.T, server *servers.Server, target load.Target, length time.Duration) (missing string) {
	t.Helper()
	const rate = 400
	var intervals []record.Load
	config := load.Config{
		Schedule: load.Schedule{Rate: rate},
		Workers:  4,
		Duration: length,
		Interval: length / 20,
		Status: func(i *load.Interval) {
			intervals = append(intervals, i.Load)
			switch len(intervals) {
			case 4:
				server.Kill(t)
			case 8:
				server.Start(t)
			}
		},
	}
	defer func() {
		if n := len(intervals); n >= 4 && n < 8 {
			server.Start(t)
		}
	}()
	totals, err := load.Run(ctx, target, config, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := rate * int64(length/time.Second); totals.Scheduled != want {
		t.Errorf("%d operations were scheduled, want %d", totals.Scheduled, want)
	}
	if totals.Scheduled != totals.Started+totals.Dropped+totals.Unsent || totals.Started != totals.Completed+totals.Unfinished {
		t.Errorf("operations are missing: %+v", totals.Load)
	}
	for class, n := range totals.Errors {
		if class != load.ClassRefused && class != load.ClassReset && class != load.ClassNotFound {
			t.Errorf("%d errors of class %s: %s", n, class, totals.First[class])
		}
	}
	if totals.Errors[load.ClassRefused] == 0 || totals.Errors[load.ClassReset] == 0 {
		return fmt.Sprintf("errors %v, want refused and reset among them", totals.Errors)
	}
	if len(intervals) < 9 {
		return fmt.Sprintf("%d intervals, want 20", len(intervals))
	}
	last, before := intervals[len(intervals)-1], intervals[8]
	failed := last.Errors[load.ClassRefused] + last.Errors[load.ClassReset] - before.Errors[load.ClassRefused] - before.Errors[load.ClassReset]
	if answered := last.Completed - before.Completed - failed; answered <= 0 {
		return fmt.Sprintf("nothing was answered after the restart: %+v", last)
	}
	return ""
}
