package usage

import (
	"errors"
	"reflect"
	"runtime/metrics"
	"testing"
	"time"
)

// TestAttribute: threads that were there before, that came, that went, and one whose
// number a new one has.
func TestAttribute(t *testing.T) {
	ms := time.Millisecond
	u := Usage{CPU: 100 * ms}
	attribute(&u,
		[]reading{{id: 1, cpu: 5 * ms, waited: ms}, {id: 2, cpu: 7 * ms, waited: ms}, {id: 3, cpu: 9 * ms, waited: ms}, {id: 4, cpu: 80 * ms, user: 70 * ms, waited: 50 * ms}},
		[]reading{
			{id: 1, cpu: 25 * ms, user: 10 * ms, sys: 10 * ms, waited: 5 * ms}, {id: 2, cpu: 7 * ms, waited: ms},
			{id: 4, cpu: 10 * ms, waited: 2 * ms}, {id: 5, cpu: 30 * ms, user: 30 * ms, waited: 3 * ms},
		})
	want := Usage{
		CPU:           100 * ms,
		PerThread:     Stats{Count: 3, Sum: 60 * ms, Min: 10 * ms, Max: 30 * ms},
		Threads:       []Thread{{ID: 5, CPU: 30 * ms, User: 30 * ms, Born: true}, {ID: 1, CPU: 20 * ms, User: 10 * ms, Sys: 10 * ms}, {ID: 4, CPU: 10 * ms, Born: true}},
		UserPerThread: Stats{Count: 2, Sum: 40 * ms, Min: 10 * ms, Max: 30 * ms}, SysPerThread: Stats{Count: 2, Sum: 10 * ms, Max: 10 * ms},
		Died: 2, Unattributed: 40 * ms, Waited: 9 * ms,
	}
	if !reflect.DeepEqual(u, want) {
		t.Errorf("%#v\nwant\n%#v", u.Threads, want.Threads)
		t.Errorf("%s", u.Table())
	}
	u = Usage{CPU: ms}
	attribute(&u, nil, []reading{{id: 1, cpu: 2 * ms}}) // read after the process's clock
	if u.Unattributed != 0 {
		t.Errorf("%s are attributed to no thread", u.Unattributed)
	}
}

// TestTellCPU: the ticks divide the finer sum, where there is one.
func TestTellCPU(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		name           string
		in             cpuTimes
		cpu, user, sys time.Duration
		lacks          int
	}{
		{"fine", cpuTimes{total: 90 * ms, user: 60 * ms, sys: 20 * ms, fine: true}, 90 * ms, 67500 * time.Microsecond, 22500 * time.Microsecond, 0},
		{"coarse", cpuTimes{user: 60 * ms, sys: 20 * ms}, 80 * ms, 60 * ms, 20 * ms, 0},
		{"no tick", cpuTimes{total: ms, fine: true}, ms, 0, 0, 2},
		{"nothing", cpuTimes{fine: true}, 0, 0, 0, 0},
		{"no clock", cpuTimes{err: errors.New("none")}, 0, 0, 0, 3},
	} {
		var u Usage
		c.in.report(&u)
		if u.CPU != c.cpu || u.User != c.user || u.Sys != c.sys || len(u.NotAvailable) != c.lacks {
			t.Errorf("%s: %s = %s + %s, %v", c.name, u.CPU, u.User, u.Sys, u.NotAvailable)
		}
	}
	bad := errors.New("bad")
	if d := (cpuTimes{total: 5, fine: true}).since(cpuTimes{err: bad}); d.err != bad || d.fine {
		t.Errorf("%+v", d)
	}
}

// TestTellHeap: pauses come from a ring of 256.
func TestTellHeap(t *testing.T) {
	h := &heap{}
	h.before.NumGC, h.after.NumGC = 254, 258
	h.before.TotalAlloc, h.after.TotalAlloc = 1000, 1344
	h.before.Mallocs, h.after.Mallocs = 10, 15
	h.before.PauseTotalNs, h.after.PauseTotalNs = 1e6, 4e6
	for i := range h.after.PauseNs {
		h.after.PauseNs[i] = 999e6 // of others
	}
	for gc, ns := range map[int]uint64{255: 1e6, 256: 5e5, 257: 7e5, 258: 8e5} {
		h.after.PauseNs[(gc+255)%256] = ns
	}
	for i := range h.gc {
		h.gc[i][0].Name = gcCPU
	}
	metrics.Read(h.gc[0][:])
	h.gc[1] = h.gc[0]
	var u Usage
	h.report(&u)
	want := Usage{Bytes: 344, Objects: 5, GCCycles: 4, GCPause: 3 * time.Millisecond, GCPauseMax: time.Millisecond}
	if !reflect.DeepEqual(u, want) {
		t.Errorf("%+v", u)
	}
	h.after.NumGC = 254
	u = Usage{}
	if h.report(&u); u.available(FigureGCCPU) || u.GCPauseMax != 0 {
		t.Errorf("no collection: %+v", u)
	}
	h.gc[0][0] = metrics.Sample{}
	u = Usage{}
	if h.report(&u); u.available(FigureGCCPU) {
		t.Errorf("no such metric: %+v", u)
	}
}

func TestStats(t *testing.T) {
	var s Stats
	if s.Avg() != 0 {
		t.Error(s)
	}
	s.add(4)
	s.add(10)
	s.addMany(4, 2)
	if want := (Stats{Count: 4, Sum: 18, Min: 2, Max: 10}); s != want || s.Avg() != 4 {
		t.Errorf("%v, avg %d", s, s.Avg())
	}
	if got := (Stats{Count: 2, Sum: 3 * time.Second, Min: time.Second, Max: 2 * time.Second}).String(); got != "count 2, sum 3s, min 1s, avg 1.5s, max 2s" {
		t.Error(got)
	}
}

// BenchmarkMeasure is what a measurement takes around its task.
func BenchmarkMeasure(b *testing.B) {
	var tare Overhead
	for b.Loop() {
		tare = Measure(emptyTask).Overhead
	}
	b.ReportMetric(float64(tare.Real), "in-real-ns")
	b.ReportMetric(float64(tare.CPU), "in-cpu-ns")
}
