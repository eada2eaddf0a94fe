package result

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/record"
)

// waitFork is a fork of 10 operations that waits for a lock, on some line, for each ns/op, and once for another.
func waitFork(line int, lock, other int64) *record.Waits {
	site := func(cause, fn, by string, ns int64) record.WaitSite {
		s := record.WaitSite{WaitCause: record.WaitCause{Cause: cause, Count: 10, Time: ns, Own: ns / 2}, At: record.WaitPlace{Func: fn, File: "f.go", Line: line, Op: "sync.(*Mutex).Lock"}, Path: []string{"m.B"}}
		if by != "" {
			s.By = &record.WaitPlace{Func: by, File: "f.go", Line: line + 1, Op: "sync.(*Mutex).Unlock"}
		}
		return s
	}
	w := &record.Waits{Windows: 1, Ops: 10, Wall: 10_000, Traced: 1, OwnRunning: 100, Sites: []record.WaitSite{site(record.WaitLock, "m.get", "m.put", 10*lock)}}
	if other > 0 {
		w.Sites = append(w.Sites, site(record.WaitSleep, "m.nap", "", 10*other))
	}
	w.Rest = w.Wall - w.OwnRunning
	for _, s := range w.Sites {
		w.Causes, w.Rest = append(w.Causes, s.WaitCause), w.Rest-s.Own
	}
	return w
}

// waited adds a fork of profiler sched to a Builder.
func waited(t *testing.T, b *Builder, id int, data []byte) {
	t.Helper()
	b.Add(&record.Attach{Fork: id, Name: record.AttachWaits, Media: "application/json", Data: data})
	b.Add(&record.Sample{Fork: id, Iter: 2, Phase: record.PhaseMeasure, Ops: 10, V: record.Values{{Unit: "sched-goroutines", Value: 2}}})
	b.Add(&record.Fork{ID: id, Case: 1, Round: id, Purpose: "sched", State: record.StateOK})
}

// TestWaits: means over the forks, which still add up to the wall time; what a fork does not list is 0 there; a fork
// of which a part was traced is scaled up.
func TestWaits(t *testing.T) {
	b := timed()
	part := waitFork(3, 50, 60)
	part.Traced, part.Rest = 0.5, part.Rest-5000
	for i, w := range []*record.Waits{waitFork(3, 100, 0), part} {
		text, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		waited(t, b, 1+i, text)
	}
	r := b.Result().Results[0]
	w := r.Waits
	if w == nil || w.Forks != 2 || w.Traced != 0.5 || w.Wall != 1000 || len(w.Sites) != 2 || len(w.Causes) != 2 {
		t.Fatalf("%+v", w)
	}
	lock, nap := w.Sites[0], w.Sites[1]
	if lock.Cause != record.WaitLock || lock.Time != 100 || lock.Own != 50 || lock.Count != 1.5 || lock.By.Func != "m.put" || nap.Time != 60 || nap.By != nil || lock.Path[0] != "m.B" {
		t.Errorf("%+v\n%+v", lock, nap)
	}
	sum := w.OwnRunning + w.Rest
	for _, c := range w.Causes {
		sum += c.Own
	}
	if math.Abs(float64(sum-w.Wall)) > 1e-9 || w.Blocked() != 160 {
		t.Errorf("%v of %v ns/op, blocked %v", sum, w.Wall, w.Blocked())
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"waits":{"forks":2,"traced":0.5,"wall_ns/op":1000,`) || !strings.Contains(string(text), `{"cause":"lock","waits/op":1.5,"ns/op":100,"own_ns/op":50,"at":{"func":"m.get","file":"f.go","line":3,`) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestWaitsDamaged: lines that cannot be read give a warning and no table.
func TestWaitsDamaged(t *testing.T) {
	for i, data := range []string{"", "{", `{"ops":0,"traced":1,"wall_ns":1}`, `{"ops":1,"traced":1,"wall_ns":1,"causes":[{"ns":-1}]}`} {
		b := timed()
		waited(t, b, 1, []byte(data))
		if r := b.Result().Results[0]; r.Waits != nil || !strings.Contains(show(r), "["+diagnosis.DamagedAttached+"]") {
			t.Errorf("%d: %s %+v", i, show(r), r.Waits)
		}
	}
}

// TestWaitDifferences: sites are the same although their lines have moved; a wait that one side has is 0 on the other;
// and without a difference few tests find one.
func TestWaitDifferences(t *testing.T) {
	var old, new []*record.Waits
	for i := range int64(10) {
		old, new = append(old, waitFork(3, 100+i, 0)), append(new, waitFork(30, 200+i, 50+i))
	}
	causes, sites := attached.WaitDifferences(attached.MeanWaits(old), attached.MeanWaits(new))
	if len(sites) != 2 || len(causes) != 2 {
		t.Fatalf("%+v, %+v", causes, sites)
	}
	if d := sites[0]; d.Cause != record.WaitLock || math.Abs(float64(d.Old)-104.5) > 1e-9 || math.Abs(float64(d.New)-204.5) > 1e-9 || d.At.Line != 30 || d.By.Line != 31 || !(d.P < 1e-6) || math.Abs(d.Delta()-100) > 1e-9 {
		t.Errorf("%+v", d)
	}
	if d := sites[1]; d.Cause != record.WaitSleep || d.Old != 0 || math.Abs(float64(d.New)-54.5) > 1e-9 || !(d.P < 1e-6) {
		t.Errorf("%+v", d)
	}

	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	found := 0
	const tries = 400
	for range tries {
		old, new = nil, nil
		for range 10 {
			old, new = append(old, waitFork(3, 1000+rnd.Int64N(500), 0)), append(new, waitFork(3, 1000+rnd.Int64N(500), 0))
		}
		_, sites := attached.WaitDifferences(attached.MeanWaits(old), attached.MeanWaits(new))
		if sites[0].P < 0.05 {
			found++
		}
	}
	if found > tries/8 { // 20 are expected; more than 50 have a probability below 1e-9
		t.Errorf("%d of %d equal pairs differ", found, tries)
	}
}
