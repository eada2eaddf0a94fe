package mock_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/loadtest"
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
		"queue":    {"mock.delay": "50us", "mock.distribution": "exponential", "mock.servers": "2", "mock.stall": "1ms", "mock.stall.every": "20ms"},
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
		{kv.Properties{"basicdb.verbos": "true"}, "unknown property basicdb.verbos: did you mean basicdb.verbose?"},
		{kv.Properties{"basicdb.verbose": "loud"}, "property basicdb.verbose=loud: want true or false"},
		{kv.Properties{"mock.distribution": "normal", "mock.delay": "1ms"}, "mock.distribution=normal: want constant, uniform"},
		{kv.Properties{"mock.distribution": "pareto"}, "mock.distribution=pareto: needs mock.delay"},
		{kv.Properties{"mock.delay": "1ms", "mock.sigma": "2"}, "mock.sigma=2: belongs to mock.distribution=lognormal"},
		{kv.Properties{"mock.delay": "1ms", "mock.distribution": "lognormal", "mock.sigma": "9"}, "mock.sigma=9: must be 0 to 5"},
		{kv.Properties{"mock.delay": "1ms", "mock.distribution": "bimodal", "mock.slow.share": "1.5"}, "mock.slow.share=1.5: must be 0 to 1"},
		{kv.Properties{"mock.delay": "1ms", "mock.distribution": "bimodal", "mock.random": "true"}, "mock.random=true: means mock.distribution=uniform"},
		{kv.Properties{"mock.servers": "4"}, "mock.servers=4: needs mock.delay"},
		{kv.Properties{"mock.delay": "1ms", "mock.servers": "-1"}, "mock.servers=-1: must be 0 to"},
		{kv.Properties{"mock.stall": "10s"}, "mock.stall=10s: must be shorter than mock.stall.every, which is 10s"},
		{kv.Properties{"mock.stall": "1ns", "mock.stall.every": "2ns"}, "mock.stall.every=2ns: must be at least 1ms"},
		{kv.Properties{"mock.delay": "2562047h", "mock.distribution": "bimodal"}, "mock.delay=2562047h: must be at most 1h0m0s"},
		{kv.Properties{"mock.stall.every": "10s"}, "mock.stall.every=10s: needs mock.stall"},
		{kv.Properties{"mock.mode": "stalls", "mock.stall": "10ms"}, "stalls have their own delays"},
	} {
		if _, err := mock.Open(context.Background(), kv.Settings{Props: c.props}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %s", c.props, err, c.want)
		}
	}
}

// TestPrinted: basicdb.verbose and basicdb.count print what YCSB's BasicDB prints.
func TestPrinted(t *testing.T) {
	var out strings.Builder
	db, err := mock.Open(context.Background(), kv.Settings{
		Props: kv.Properties{"basicdb.verbose": "true", "basicdb.count": "true", "redis.password": "geheim"}, Table: "usertable", Fields: 11,
		FieldName: func(i int) string { return "field" + strconv.Itoa(i) }, Printed: &out,
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := db.Session(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	var v, dst kv.Record
	var rows kv.Records
	v.AppendString(2, "abc")
	v.AppendString(10, "de")
	for range 2 {
		s.Read(ctx, []byte("user1"), nil, &dst)
	}
	s.Read(ctx, []byte("user1"), []int{3, 10}, &dst)
	s.Scan(ctx, []byte("user2"), 5, nil, &rows)
	s.Update(ctx, []byte("user3"), &v)
	s.Insert(ctx, []byte("user4"), &v)
	s.Delete(ctx, []byte("user5"))
	db.Close()
	want := `***************** properties *****************
"basicdb.count"="true"
"basicdb.verbose"="true"
"redis.password"="***"
**********************************************
READ usertable user1 [ <all fields>]
READ usertable user1 [ <all fields>]
READ usertable user1 [ field3 field10 ]
SCAN usertable user2 5 [ <all fields>]
UPDATE usertable user3 [ field2=abc field10=de ]
INSERT usertable user4 [ field2=abc field10=de ]
DELETE usertable user5
[READS], Uniques, 2
[SCANS], Uniques, 1
[UPDATES], Uniques, 1
[INSERTS], Uniques, 1
[DELETES], Uniques, 1
`
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
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
	for _, props := range []kv.Properties{nil, {"mock.delay": "10us"}, {"mock.delay": "100us", "mock.random": "true"}, {"mock.mode": "stalls"}, {"mock.delay": "10us", "mock.distribution": "lognormal", "mock.servers": "1", "mock.stall": "20us", "mock.stall.every": "1ms"}} {
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
