package record

import (
	"encoding/json"
	"math"
	"testing"
)

// TestWaitsValidate: what a trace can tell is accepted, and what it cannot is refused.
func TestWaitsValidate(t *testing.T) {
	good := func() *Waits {
		return &Waits{
			Windows: 1, Ops: 10, Wall: 100, Traced: 1, OwnRunning: 60, Rest: -1,
			Causes: []WaitCause{{Cause: WaitLock, Count: 2, Time: 80, Own: 41}},
			Sites:  []WaitSite{{WaitCause: WaitCause{Cause: WaitLock, Count: 2, Time: 80, Own: 41}, At: WaitPlace{Func: "m.f"}, By: &WaitPlace{Func: "m.g"}}},
		}
	}
	text, err := json.Marshal(good())
	if err != nil {
		t.Fatal(err)
	}
	var back Waits
	if err := json.Unmarshal(text, &back); err != nil || back.Validate() != nil || back.Sites[0].By.Func != "m.g" || back.Sites[0].Time != 80 {
		t.Errorf("%s: %+v, %v, %v", text, back, err, back.Validate())
	}
	for i, damage := range []func(*Waits){
		func(w *Waits) { w.Ops = 0 },
		func(w *Waits) { w.Wall = 0 },
		func(w *Waits) { w.Wall = math.MaxInt64 },
		func(w *Waits) { w.Traced = 0 },
		func(w *Waits) { w.Traced = 1.01 },
		func(w *Waits) { w.Traced = math.NaN() },
		func(w *Waits) { w.OwnRunning = -1 },
		func(w *Waits) { w.Rest = math.MinInt64 },
		func(w *Waits) { w.Causes[0].Time = -1 },
		func(w *Waits) { w.Causes[0].Own = 81 },
		func(w *Waits) { w.Sites[0].Count = -1 },
		func(w *Waits) { w.Sites[0].Time = math.MaxInt64 },
		func(w *Waits) { w.Sites = make([]WaitSite, 1001) },
	} {
		w := good()
		if damage(w); w.Validate() == nil {
			t.Errorf("%d: %+v", i, w)
		}
	}
}

// TestWaitCauses: each cause is listed once.
func TestWaitCauses(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range WaitCauses() {
		if seen[c] || c == "" {
			t.Errorf("%q", c)
		}
		seen[c] = true
	}
	for _, c := range []string{WaitLock, WaitWorkers, WaitOther, WaitSyscall, WaitRunnable} {
		if !seen[c] {
			t.Errorf("%q is missing", c)
		}
	}
}
