package mock_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/loadtest"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/mock"
)

func TestConformance(t *testing.T) {
	for name, props := range map[string]kv.Properties{
		"no delay": nil,
		"spun":     {"mock.delay": "20us"},
		"slept":    {"mock.delay": "300us", "mock.random": "true"},
		"stalls":   {"mock.mode": "stalls"},
	} {
		t.Run(name, func(t *testing.T) {
			loadtest.Run(t, loadtest.Config{Open: mock.Open, Props: props})
		})
	}
}

func BenchmarkMock(b *testing.B) {
	loadtest.Bench(b, loadtest.Config{Open: mock.Open})
}

func open(t testing.TB, props kv.Properties, timeout time.Duration) (kv.DB, kv.Session) {
	t.Helper()
	db, err := mock.Binding().OpenDB(context.Background(), kv.Settings{Props: props, OpTimeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s, err := db.Session(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return db, s
}

func TestBadProperties(t *testing.T) {
	for _, c := range []struct {
		props kv.Properties
		want  string
	}{
		{kv.Properties{"mock.delay": "4"}, "property mock.delay=4: want a duration"},
		{kv.Properties{"mock.delay": "-4ms"}, "must not be negative"},
		{kv.Properties{"mock.delya": "4ms"}, "unknown property mock.delya: did you mean mock.delay?"},
		{kv.Properties{"mock.mode": "stall"}, "property mock.mode=stall: want stalls; did you mean stalls?"},
		{kv.Properties{"mock.random": "true"}, "needs mock.delay"},
		{kv.Properties{"mock.mode": "stalls", "mock.delay": "1ms"}, "stalls have their own delays"},
		{kv.Properties{"mock.delay": "1ms", "basicdb.simulatedelay": "1"}, "set one of them"},
		{kv.Properties{"basicdb.simulatedelay": "1ms"}, "want a whole number"},
		{kv.Properties{"basicdb.simulatedelay": "-1"}, "must be 0 to"},
		{kv.Properties{"basicdb.verbose": "true"}, "unknown property basicdb.verbose"},
	} {
		if _, err := mock.Open(context.Background(), kv.Settings{Props: c.props}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %s", c.props, err, c.want)
		}
	}
}

// operations are all that a session does.
func operations(s kv.Session) map[string]func(context.Context) error {
	var v, dst kv.Record
	var rows kv.Records
	key := []byte("user1")
	return map[string]func(context.Context) error{
		"read":   func(ctx context.Context) error { return s.Read(ctx, key, nil, &dst) },
		"scan":   func(ctx context.Context) error { _, err := s.Scan(ctx, key, 5, nil, &rows); return err },
		"update": func(ctx context.Context) error { return s.Update(ctx, key, &v) },
		"insert": func(ctx context.Context) error { return s.Insert(ctx, key, &v) },
		"delete": func(ctx context.Context) error { return s.Delete(ctx, key) },
	}
}

// TestNeverShorter: every operation takes the delay at least, whether it is
// spun, slept or slept in parts.
func TestNeverShorter(t *testing.T) {
	for _, delay := range []time.Duration{30 * time.Microsecond, 900 * time.Microsecond, 25 * time.Millisecond} {
		_, s := open(t, kv.Properties{"mock.delay": delay.String()}, 0)
		for name, do := range operations(s) {
			began := time.Now()
			if err := do(context.Background()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if took := time.Since(began); took < delay {
				t.Errorf("%s took %v, want at least %v", name, took, delay)
			}
		}
	}
}

// TestEndsOfDelays: a delay of an hour ends by whatever may end it.
func TestEndsOfDelays(t *testing.T) {
	hour := kv.Properties{"mock.delay": "1h"}
	for name, do := range operations(func() kv.Session { _, s := open(t, hour, 0); return s }()) {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(time.Millisecond, cancel)
		if err := do(ctx); err != context.Canceled {
			t.Errorf("%s: error %v, want canceled", name, err)
		}
		ctx, cancel = context.WithTimeout(context.Background(), time.Millisecond)
		if err := do(ctx); err != context.DeadlineExceeded {
			t.Errorf("%s: error %v, want deadline exceeded", name, err)
		}
		cancel()
	}

	_, s := open(t, hour, 2*time.Millisecond)
	err := s.Read(context.Background(), nil, nil, new(kv.Record))
	if load.Class(err) != "timeout" || !strings.Contains(err.Error(), "no response within 2ms") {
		t.Errorf("beyond the timeout of operations: error %v", err)
	}

	db, s := open(t, hour, 0)
	time.AfterFunc(5*time.Millisecond, func() { db.Close() })
	if err := s.Read(context.Background(), nil, nil, new(kv.Record)); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("the database was closed: error %v", err)
	}
}

// TestSessionsAreReused: a session that is closed leaves its pacer to the next,
// or phases with many workers would run out of descriptors.
func TestSessionsAreReused(t *testing.T) {
	db, s := open(t, kv.Properties{"mock.delay": "60us"}, 0)
	if n := testing.AllocsPerRun(100, func() {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		var err error
		if s, err = db.Session(context.Background(), 3); err != nil {
			t.Fatal(err)
		}
		if err := s.Read(context.Background(), nil, nil, new(kv.Record)); err != nil {
			t.Fatal(err)
		}
	}); n > 8 { // a descriptor with what the poller keeps of it would be more
		t.Errorf("%v allocations for a session", n)
	}
	s.Close()
	if err := s.Read(context.Background(), nil, nil, new(kv.Record)); err == nil {
		t.Error("a closed session works")
	}
}

func TestAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	for _, props := range []kv.Properties{nil, {"mock.delay": "10us"}, {"mock.delay": "100us", "mock.random": "true"}, {"mock.mode": "stalls"}} {
		_, s := open(t, props, time.Second)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		for name, do := range operations(s) {
			if n := testing.AllocsPerRun(30, func() {
				if err := do(ctx); err != nil {
					t.Fatal(err)
				}
			}); n != 0 {
				t.Errorf("%v, %s: %v allocations", props, name, n)
			}
		}
	}
}
