package asm

import (
	"fmt"
	"math"
	"time"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// sampleWarnings returns warnings about too few or lost samples.
func sampleWarnings(a *record.Asm) (warnings []*record.Warn) {
	first := a.Events[0]
	if first.Samples < Few {
		warnings = append(warnings, warning(CodeFewSamples, durationAdvice(a.Events, first.Asked), "%d samples: a share of 10 %% has a standard error of ± %s points", first.Samples, units.Fixed(100*standardError(0.1, first.Samples), 1)))
	}
	var taken, lost, throttled int64
	for _, e := range a.Events {
		taken, lost, throttled = taken+e.Samples+e.Outside, lost+e.Lost, throttled+e.Throttled
	}
	if share := float64(lost) / float64(taken+lost); share > lossy {
		warnings = append(warnings, warning(CodeLostSamples, "a lower --frequency, or a machine that is less busy", "%s of the samples were lost: tare was too slow to read them", units.PercentTo(share, 1)))
	}
	if throttled > 0 {
		warnings = append(warnings, warning(CodeThrottled, "a lower --frequency", "the kernel paused sampling %s, because it took too long", units.Plural(throttled, "time")))
	}
	return warnings
}

// durationAdvice returns the advice how long to sample for enough samples.
func durationAdvice(events []record.AsmEvent, asked float64) string {
	if len(events) > 0 && events[0].Period == 0 && events[0].Achieved > 0 {
		asked = events[0].Achieved
	}
	if asked <= 0 {
		return "sample for longer, or more often"
	}
	return fmt.Sprintf("%d samples take %v of CPU time at %s per second", Few, time.Duration(Few/asked*float64(time.Second)).Round(time.Millisecond), units.Fixed(asked, 0))
}

// standardError returns the standard error of a share, as for independent samples (binomial).
func standardError(share float64, n int64) float64 {
	return math.Sqrt(share * (1 - share) / float64(n))
}
