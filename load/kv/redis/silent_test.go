package redis

import (
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
	"github.com/tarebench/tare/record"
)

// TestServerFallsSilent stops the server in the middle of a run: what it never answered is
// counted, with lower bounds of the latencies, and the run says so.
func TestServerFallsSilent(t *testing.T) {
	testutil.NeedSeconds(t, "a real server falls silent")
	server := servers.Redis(t)
	c, err := ycsb.ParseConfig(kv.Properties{"recordcount": "100", "readproportion": "1", "updateproportion": "0"})
	if err != nil {
		t.Fatal(err)
	}
	set := settings(kv.Properties{"redis.addr": server.Addr})
	set.Fields, set.OpTimeout = c.FieldCount, time.Minute
	db, err := Open(ctx, set)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	target, err := ycsb.New(c, db)
	if err != nil {
		t.Fatal(err)
	}
	warned := map[string]bool{}
	n := 0
	got, err := load.Run(ctx, target, load.Config{
		Schedule: load.Schedule{Rate: 200}, AutoWorkers: true, Duration: 3 * time.Second, Drain: time.Second,
		Status: func(*load.Interval) {
			if n++; n == 1 {
				server.Stop(t)
			}
		},
	}, func(l record.Line) error {
		if w, ok := l.(*record.Warn); ok {
			warned[w.Code] = true
		}
		return nil
	})
	server.Cont(t)
	if err != nil {
		t.Fatal(err)
	}
	lost := got.Unfinished + got.Unsent
	if lost < 200 || !warned[diagnosis.Unanswered] || !warned[diagnosis.RateMissed] {
		t.Errorf("%d of %d operations were not answered; warnings %v", lost, got.Scheduled, warned)
	}
	var waited int64
	for _, l := range got.Latencies {
		if l.Tag == record.TagUnanswered {
			waited += l.Hist.Count()
		}
	}
	if waited != lost {
		t.Errorf("%d of %d operations have a lower bound", waited, lost)
	}
}
