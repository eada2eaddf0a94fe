package result

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// loadRunOf returns the builder of a run of so many intervals of 2000 operations each.
func loadRunOf(t *testing.T, n int, ms float64, seed uint64, arrivals string) *Builder {
	t.Helper()
	b := NewBuilder()
	b.KeepIntervals()
	b.Add(&record.Run{Kind: record.KindLoad, Config: record.Config{Load: &record.LoadConfig{Rate: 2000, Arrivals: arrivals}}})
	rng := rand.New(rand.NewPCG(seed, 1))
	so := record.Load{Phase: record.LoadRun, Length: 1e9, TargetRate: 2000, Achieved: 2000}
	for i := range n {
		var h hist.Histogram
		slow := math.Exp(0.05 * rng.NormFloat64())
		for range 2000 {
			h.Record(int64(ms * 1e6 * slow * (1 + 0.1*rng.ExpFloat64())))
		}
		data, err := h.Encode()
		if err != nil {
			t.Fatal(err)
		}
		so.Iter, so.Scheduled, so.Started, so.Completed = i+1, so.Scheduled+2000, so.Started+2000, so.Completed+2000
		x := so
		b.Add(&x)
		b.Add(&record.Hist{Name: "GET", Iter: i + 1, Tag: record.TagResponse, Length: 1e9, Unit: "ns", Data: data})
	}
	short := so // the last interval may have hardly any time
	short.Iter, short.Length, short.Completed = n+1, 1e6, so.Completed+1
	b.Add(&short)
	so.Iter, so.Final = 0, true
	b.Add(&so)
	b.Add(&record.End{State: record.EndCompleted})
	return b
}

// TestCompareLoads: runs that were made one after the other get a table, and no verdict is trusted.
func TestCompareLoads(t *testing.T) {
	r, err := CompareLoads([]string{"old", "new"}, []*Builder{loadRunOf(t, 30, 2, 1, "constant 2000/s"), loadRunOf(t, 25, 3, 2, "constant 1000/s")}, Judgement{})
	if err != nil {
		t.Fatal(err)
	}
	c := row(t, r, "GET response p99")
	if c.Verdict != "slower" || c.Trusted || c.Ratio < 1.4 || c.Ratio > 1.6 || c.OldN != 30 || c.NewN != 25 || c.Sample != SampleIntervals {
		t.Errorf("%+v", c)
	}
	if c := row(t, r, "answered without error"); c.Verdict != "equivalent" || c.Old != 2000 {
		t.Errorf("%+v", c)
	}
	if len(texts(r.Warnings, diagnosis.TwoDraws)) != 1 || len(texts(r.Warnings, diagnosis.Environment)) != 1 {
		t.Errorf("%+v", r.Warnings)
	}
	lacking := loadRunOf(t, 30, 2, 1, "")
	last := &lacking.measuredPhase().last
	last.Scheduled, last.Unsent, last.UnsentOldest = last.Scheduled+300, 300, 1e8
	r, err = CompareLoads([]string{"old", "new"}, []*Builder{loadRunOf(t, 30, 2, 1, ""), lacking}, Judgement{})
	if err != nil {
		t.Fatal(err)
	}
	if got := texts(r.Warnings, diagnosis.Unanswered); len(got) != 1 || !strings.HasPrefix(got[0], "300 of ") {
		t.Errorf("300 that were never sent: %+v", r.Warnings)
	}
	if _, err := CompareLoads([]string{"old", "new"}, []*Builder{loadRunOf(t, 30, 2, 1, ""), loadRunOf(t, 5, 3, 2, "")}, Judgement{}); !errors.Is(err, ErrNoIntervals) {
		t.Errorf("a short run: %v", err)
	}
	if _, err := CompareLoads([]string{"old", "new"}, []*Builder{loadRunOf(t, 30, 2, 1, ""), NewBuilder()}, Judgement{}); err == nil {
		t.Error("a record without a run: no error")
	}
}

// TestLostOperations: an operation whose histograms a side lacks, or of which they cannot be read, is lost.
func TestLostOperations(t *testing.T) {
	for what, data := range map[string][]byte{"gone": nil, "damaged": []byte("no histogram")} {
		lacking := NewBuilder()
		lacking.KeepIntervals()
		full := loadRunOf(t, 30, 2, 2, "")
		lacking.Add(full.run)
		for i := range 30 {
			n := int64(2000 * (i + 1))
			lacking.Add(&record.Load{Phase: record.LoadRun, Iter: i + 1, Length: 1e9, Scheduled: n, Started: n, Completed: n})
			if data != nil {
				lacking.Add(&record.Hist{Name: "GET", Iter: i + 1, Tag: record.TagResponse, Length: 1e9, Unit: "ns", Data: data})
			}
		}
		lacking.Add(&record.Load{Phase: record.LoadRun, Final: true, Scheduled: 60000, Started: 60000, Completed: 60000})
		r, err := CompareLoads([]string{"old", "new"}, []*Builder{loadRunOf(t, 30, 2, 1, ""), lacking}, Judgement{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Lost) != 1 || r.Lost[0].Name != "GET response" || r.Lost[0].Side != "new" || len(r.NamedLost()) != 1 {
			t.Errorf("%s: %+v", what, r.Lost)
		}
	}
	r, err := CompareLoads([]string{"old", "new"}, []*Builder{loadRunOf(t, 30, 2, 1, ""), loadRunOf(t, 30, 2, 2, "")}, Judgement{})
	if err != nil || len(r.Lost) != 0 {
		t.Errorf("of all: %+v, %v", r.Lost, err)
	}
}
