package ycsb

import (
	"context"
	"strconv"
	"testing"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// idle is a database that does nothing.
type idle struct{}

func (idle) Capabilities() kv.Capabilities                    { return kv.Capabilities{Name: "idle", Scan: true} }
func (idle) Session(context.Context, int) (kv.Session, error) { return idle{}, nil }
func (idle) Close() error                                     { return nil }

func (idle) Read(context.Context, []byte, []int, *kv.Record) error { return nil }
func (idle) Scan(context.Context, []byte, int, []int, *kv.Records) (int, error) {
	return 0, nil
}
func (idle) Update(context.Context, []byte, *kv.Record) error { return nil }
func (idle) Insert(context.Context, []byte, *kv.Record) error { return nil }
func (idle) Delete(context.Context, []byte) error             { return nil }

// BenchmarkOperation is all that the workload costs of an operation: choosing it,
// sending it to a database that does nothing, and what comes after.
func BenchmarkOperation(b *testing.B) {
	for _, name := range Names() {
		b.Run("workload="+name, func(b *testing.B) { benchmarkOperation(b, workload(b, name, "recordcount", "1000000")) })
	}
	for _, distribution := range Default().settingWords("requestdistribution") {
		b.Run("workload=c/distribution="+distribution, func(b *testing.B) {
			benchmarkOperation(b, workload(b, "c", "recordcount", "1000000", "requestdistribution", distribution))
		})
	}
}

func benchmarkOperation(b *testing.B, c Config) {
	target, err := New(c, idle{})
	if err != nil {
		b.Fatal(err)
	}
	w := open(b, target, 0)
	ctx, timer := context.Background(), new(load.Timer)
	b.ReportAllocs()
	for k := uint64(0); b.Loop(); k++ {
		w.Prepare(k)
		if err := w.Done(w.Do(ctx, timer)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLaw is the choice of a record alone.
func BenchmarkLaw(b *testing.B) {
	for _, name := range Default().settingWords("requestdistribution") {
		b.Run("distribution="+name, func(b *testing.B) {
			c := workload(b, "c", "recordcount", "1000000", "requestdistribution", name)
			l := newKeyChooser(&c)
			r := new(random)
			sum := int64(0)
			for k := uint64(0); b.Loop(); k++ {
				r.start(1, k)
				sum += l.next(r, 999_999)
			}
			if sum == 0 {
				b.Error("record 0 is all there is")
			}
		})
	}
}

// BenchmarkLawSetUp is what a worker costs.
func BenchmarkLawSetUp(b *testing.B) {
	for _, name := range Default().settingWords("requestdistribution") {
		b.Run("distribution="+name, func(b *testing.B) {
			c := workload(b, "c", "recordcount", "1000000000", "requestdistribution", name)
			for b.Loop() {
				newKeyChooser(&c)
			}
		})
	}
}

// BenchmarkKey compares the text of keys with strconv's.
func BenchmarkKey(b *testing.B) {
	c := Default()
	b.Run("by=quads", func(b *testing.B) {
		keys := newKeyText(&c)
		n := 0
		for k := int64(0); b.Loop(); k++ {
			n += len(keys.key(k))
		}
	})
	b.Run("by=strconv", func(b *testing.B) {
		key, n := make([]byte, 0, 32), 0
		for k := uint64(0); b.Loop(); k++ {
			key = strconv.AppendUint(append(key[:0], c.KeyPrefix...), fnv1a(k), 10)
			n += len(key)
		}
	})
}

// BenchmarkValue is a value of 100 bytes, by chance and verifiable.
func BenchmarkValue(b *testing.B) {
	b.Run("kind=random", func(b *testing.B) {
		r, value := new(random), make([]byte, 100)
		b.SetBytes(100)
		for b.Loop() {
			fillText(value, r)
		}
	})
	b.Run("kind=verifiable", func(b *testing.B) {
		key, value := []byte("user6284781860667377211"), make([]byte, 0, 200)
		b.SetBytes(100)
		for b.Loop() {
			value = appendVerifiable(value[:0], key, "field0", 100)
		}
	})
}
