package usage

import (
	"fmt"
	"math"
	"time"
)

// Limits of what makes a measurement a doubtful side of a comparison.
const (
	delayedShare = 0.05 // of its CPU time and run delay: a longer run delay makes the real time unusable
	idleShare    = 0.1  // of its real time in which a task of one thread used no processor, or a second one
)

// Starved returns the run delay as a share of the time in which threads were ready to run or
// ran: Waited / (CPU + Waited). Above a few percent, other processes have used the processors,
// or there are more threads than processors. The real time is then not that of the task. It is
// NaN if it is not known, or for a task that used no CPU time.
func (u Usage) Starved() float64 {
	if !u.available(FigureCPU) || !u.available(FigureWaited) {
		return math.NaN()
	}
	return quotient(float64(u.Waited), float64(u.CPU+u.Waited))
}

// minReported is the least run delay that is reported.
const minReported = time.Millisecond

// disturbance returns why the real time of a side is not that of its work, "" if there is no
// reason. alone says that the task was to run on one processor all the time.
func (u *Usage) disturbance(who string, alone bool) string {
	if s := u.Starved(); s > delayedShare && u.Waited > minReported {
		return fmt.Sprintf("%s: its threads waited %s for a processor while they ran for %s: other processes, or threads beyond the processors there are, had it. Measure again at a quieter time", who, rounded(u.Waited), rounded(u.CPU))
	}
	switch cores := u.Cores(); {
	case alone && cores > 1+idleShare:
		return fmt.Sprintf("%s: it kept %s processors busy, so that it is no measure of one: the collector, or goroutines of its own, ran beside it", who, ratio(cores))
	case alone && cores < 1-idleShare:
		return fmt.Sprintf("%s: it kept %s processors busy, so it waited %s of %s: it slept or was blocked, or was denied the processor", who, ratio(cores), rounded(u.Real-u.CPU), rounded(u.Real))
	}
	return ""
}

// unchecked returns which cause of a wrong real time could not be checked, "" if all could.
func (u *Usage) unchecked(who string) string {
	switch {
	case !u.available(FigureWaited):
		return fmt.Sprintf("%s: whether its threads waited for processors that others had: %s", who, u.NotAvailable[FigureWaited])
	case !u.available(FigureCPU):
		return fmt.Sprintf("%s: whether its threads waited for processors that others had: %s", who, u.NotAvailable[FigureCPU])
	}
	return ""
}
