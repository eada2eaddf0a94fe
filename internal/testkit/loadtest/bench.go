package loadtest

import (
	"context"
	"fmt"
	"testing"

	"github.com/tarebench/tare/load/kv"
)

const benchRecords = 1000

// Bench measures time and allocations of the operations of a store, including its
// client library, one session at a time, on 1000 records of ten fields of 100 bytes
// as in YCSB. Insert overwrites existing records, so that the store keeps its size.
func Bench(b *testing.B, c Config) {
	ctx := context.Background()
	k := newKit(b, c.withDefaults())
	db := k.open()
	s, err := db.Session(ctx, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })

	keys := make([][]byte, benchRecords)
	var full, one kv.Record
	put(&full, k.exact(fields, 100))
	put(&one, k.exact(1, 100))
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "user%019d", i*7919%benchRecords)
		if err := s.Insert(ctx, keys[i], &full); err != nil {
			b.Fatal(err)
		}
	}
	var dst kv.Record
	var rows kv.Records
	run := func(name string, op func(key []byte) error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := op(keys[i%benchRecords]); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
	run("Read", func(key []byte) error { return s.Read(ctx, key, nil, &dst) })
	field := []int{3}
	run("ReadOne", func(key []byte) error { return s.Read(ctx, key, field, &dst) })
	run("Update", func(key []byte) error { return s.Update(ctx, key, &one) })
	run("Insert", func(key []byte) error { return s.Insert(ctx, key, &full) })
	if db.Capabilities().Scan {
		run("Scan50", func(key []byte) error { _, err := s.Scan(ctx, key, 50, nil, &rows); return err })
	}
}

// exact returns a record of n fields of the given size.
func (k *kit) exact(n, size int) rec {
	r := rec{}
	for f := range n {
		r[f] = k.c.Values.text(k.rng, size)
	}
	return r
}
