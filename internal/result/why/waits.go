package why

import (
	"fmt"
	"math"

	"github.com/tarebench/tare/internal/base/units"
)

// changed reports whether a wait is surely longer or shorter.
func (w *Wait) changed() bool {
	d := delta(w.Time)
	return math.Abs(d.Value) > z95*d.Err
}

// waitWords are what functions do that wait.
var waitWords = map[WaitCause]string{
	Lock: "waits %s for a lock", Channel: "waits %s at a channel", Network: "waits %s for the network", Sleep: "sleeps %s", GCAssist: "waits %s for the garbage collector",
	Select: "waits %s in a select", Syscall: "spends %s in system calls", Runnable: "waits %s for a processor",
}

// words says that a wait became longer or shorter.
func (w *Wait) words(change float64) string {
	longer := more(change, "longer", "less long")
	if w.Cause == Syscall {
		longer = more(change, "more time", "less time")
	}
	what := short(w.Place.Func) + " " + fmt.Sprintf(waitWords[w.Cause], longer)
	if w.Cause == Lock && w.Holder.Func != "" {
		what += " that " + short(w.Holder.Func) + " holds"
	}
	return what
}

// waitCauses are what goroutines waited for longer. What parks and wakes them is added to the longest.
func (e *Evidence) waitCauses(whole Measure, parking Share) (out []Cause) {
	longest := -1
	for i := range e.Waits {
		w := &e.Waits[i]
		if !w.changed() {
			continue
		}
		d := delta(w.Time)
		c := Cause{Kind: CauseWait, Wait: w.Cause, Func: w.Place.Func, Place: [2]Place{w.Place, w.Place}, Share: shareOf(d, whole)}
		if !w.Own {
			c.Share = Share{math.NaN(), min(0, c.Share.Value), min(1, max(0, c.Share.Value))}
		}
		c.What = w.words(d.Value)
		c.Evidence = []string{signed(d.Value) + " ns/op"}
		if w.Cause != GCAssist && w.Cause != Runnable && d.Value > 0 == (whole.Value > 0) && (longest < 0 || c.rank() > out[longest].rank()) {
			longest = len(out)
		}
		out = append(out, c)
	}
	if longest >= 0 && e.Workers*whole.Value < 0 && !math.IsNaN(out[longest].Share.Value) {
		c := &out[longest]
		c.Evidence = append(c.Evidence, fmt.Sprintf("instead of %.4g ns/op in a WaitGroup", math.Abs(e.Workers)))
		c.Share = c.Share.and(shareOf(Measure{Value: e.Workers}, whole))
	}
	if longest >= 0 && parking.excludesZero() {
		c := &out[longest]
		c.Evidence = append(c.Evidence, units.PercentTo(parking.Value, 0)+" of it are spinning, parking and waking, runtime and kernel")
		c.Share = c.Share.and(parking)
	}
	return out
}
