package servers

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
	"github.com/tarebench/tare/record"
)

// Records is how many there are in a Workload.
const Records = 1000

// Key returns that of record k modulo Records.
func Key(k int) string { return "user" + strconv.Itoa(k%Records) }

// Workload opens a database, fills it with Records records of ten fields of 100
// bytes, and returns a target that reads whole records, chosen evenly, or with
// updates writes one field of each.
func Workload(b *testing.B, workers int, updates bool, open func(context.Context, kv.Settings) (kv.DB, error), props kv.Properties) load.Target {
	b.Helper()
	ctx := context.Background()
	mix := kv.Properties{"insertorder": "ordered", "requestdistribution": "uniform", "recordcount": strconv.Itoa(Records),
		"readproportion": "1", "updateproportion": "0"}
	if updates {
		mix["readproportion"], mix["updateproportion"] = "0", "1"
	}
	c, err := ycsb.ParseConfig(mix)
	if err != nil {
		b.Fatal(err)
	}
	db, err := open(ctx, kv.Settings{
		Props:     props,
		Table:     c.Table,
		Fields:    c.FieldCount,
		FieldName: func(i int) string { return c.FieldNamePrefix + strconv.Itoa(i) },
		Workers:   workers,
		OpTimeout: 10 * time.Second,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	loader, err := ycsb.Loader(c, db)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := load.Run(ctx, loader, c.LoadPhase(), func(record.Line) error { return nil }); err != nil {
		b.Fatal(err)
	}
	target, err := ycsb.New(c, db)
	if err != nil {
		b.Fatal(err)
	}
	return target
}
