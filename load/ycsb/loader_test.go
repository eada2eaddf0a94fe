package ycsb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

func TestLoaderInserts(t *testing.T) {
	c := workload(t, "c", "recordcount", "100", "insertstart", "20", "insertcount", "30", "insertorder", "ordered", "zeropadding", "4")
	s := loaded(t, c)
	for i, k := range s.keys {
		if want := fmt.Sprintf("user%04d", 20+i); k != want {
			t.Fatalf("key %d is %s, want %s", i, k, want)
		}
	}
	for key, record := range s.records {
		if len(record) != 10 || len(record[0]) != 100 || len(record[9]) != 100 {
			t.Errorf("%s has %d fields", key, len(record))
		}
	}
	if again := loaded(t, c); fmt.Sprint(again.records) != fmt.Sprint(s.records) {
		t.Error("the same seed gives other records")
	}
	c.Seed++
	if other := loaded(t, c); fmt.Sprint(other.records) == fmt.Sprint(s.records) {
		t.Error("another seed gives the same records")
	}
}

func TestLoaderKinds(t *testing.T) {
	target, err := Loader(workload(t, "f"), newStore())
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(target.Kinds()); got != "[INSERT]" {
		t.Errorf("kinds %s", got)
	}
	w := open(t, target, 0)
	if kind := w.Prepare(999); kind != 0 {
		t.Errorf("kind %d", kind)
	}
	if err := send(w, 1000); err == nil || !strings.Contains(err.Error(), "insert 1001 of 1000") {
		t.Errorf("one insert too many: %v", err)
	}
	if err := errors.Join(w.Close(), target.Close()); err != nil {
		t.Error(err)
	}
}

// TestLoaderRetries: with a limit of n an insert is tried n+1 times at most, and
// one that succeeds is never repeated.
func TestLoaderRetries(t *testing.T) {
	down := errors.New("server is down")
	tests := []struct {
		limit, failures int // of the first insert
		want            int // attempts
		err             error
	}{
		{0, 0, 1, nil}, {3, 0, 1, nil}, {0, 1, 1, down},
		{1, 1, 2, nil}, {1, 2, 2, down}, {3, 3, 4, nil}, {3, 4, 4, down},
	}
	for _, tt := range tests {
		c := workload(t, "c", "core_workload_insertion_retry_limit", fmt.Sprint(tt.limit), "core_workload_insertion_retry_interval", "0.0001")
		s := newStore()
		s.fail = func(n int) error {
			if n < tt.failures {
				return down
			}
			return nil
		}
		target, err := Loader(c, s)
		if err != nil {
			t.Fatal(err)
		}
		if err := send(open(t, target, 0), 0); err != tt.err || s.inserts != tt.want {
			t.Errorf("limit %d, %d failures: %d attempts and %v; want %d, %v", tt.limit, tt.failures, s.inserts, err, tt.want, tt.err)
		}
	}
}

func TestLoaderPause(t *testing.T) {
	c := workload(t, "c")
	target, err := Loader(c, newStore())
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, target, 0).(*inserter)
	least, greatest, sum := time.Hour, time.Duration(0), time.Duration(0)
	for range 10_000 {
		d := w.pause()
		least, greatest, sum = min(least, d), max(greatest, d), sum+d
	}
	if least < 2400*time.Millisecond || greatest > 3600*time.Millisecond || greatest-least < time.Second {
		t.Errorf("pauses of %v to %v, want 3s, a fifth more or less", least, greatest)
	}
	if mean := sum / 10_000; mean < 2980*time.Millisecond || mean > 3020*time.Millisecond {
		t.Errorf("pauses of %v on average, want 3s", mean)
	}
}

// TestLoaderCancelled: who waits for the next attempt does not wait for long.
func TestLoaderCancelled(t *testing.T) {
	c := workload(t, "c", "core_workload_insertion_retry_limit", "5", "core_workload_insertion_retry_interval", "3000")
	s := newStore()
	down := errors.New("server is down")
	ctx, cancel := context.WithCancel(context.Background())
	s.fail = func(int) error { cancel(); return down }
	target, err := Loader(c, s)
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, target, 0)
	w.Prepare(0)
	if err := w.Done(w.Do(ctx, new(load.Timer))); err != down || s.inserts != 1 {
		t.Errorf("%d attempts, %v", s.inserts, err)
	}
}

func TestLoadPhase(t *testing.T) {
	c := workload(t, "c", "recordcount", "100", "insertstart", "40")
	want := load.Config{Phase: record.LoadInsert, Operations: 60, MaxErrors: 1}
	if got := c.LoadPhase(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	c.InsertionKeepGoing = true
	if got := c.LoadPhase(); got.MaxErrors != 0 {
		t.Errorf("it keeps going for %d errors", got.MaxErrors)
	}
}
