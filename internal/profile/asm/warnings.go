package asm

import (
	"math"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// sampleWarnings returns warnings about too few or lost samples.
func sampleWarnings(a *record.Asm) (warnings []*record.Warn) {
	first := a.Events[0]
	if first.Samples < Few {
		warnings = append(warnings, fewSamples(a.Events, first.Asked))
	}
	var taken, lost, throttled int64
	for _, e := range a.Events {
		taken, lost, throttled = taken+e.Samples+e.Outside, lost+e.Lost, throttled+e.Throttled
	}
	if share := float64(lost) / float64(taken+lost); share > lossy {
		warnings = append(warnings, diagnosis.Warn(diagnosis.LostSamples, diagnosis.Facts{"share": units.PercentTo(share, 1)}))
	}
	if throttled > 0 {
		warnings = append(warnings, diagnosis.Warn(diagnosis.Throttled, diagnosis.Facts{"times": units.Plural(throttled, "time")}))
	}
	return warnings
}

// fewSamples returns the warning about too few samples of the first event, whose advice is how long to sample.
func fewSamples(events []record.AsmEvent, asked float64) *record.Warn {
	n, took, rate := int64(0), "", ""
	if len(events) > 0 {
		n = events[0].Samples
		if events[0].Period == 0 && events[0].Achieved > 0 {
			asked = events[0].Achieved
		}
	}
	if asked > 0 {
		took, rate = time.Duration(Few/asked*float64(time.Second)).Round(time.Millisecond).String(), units.Fixed(asked, 0)
	}
	return diagnosis.Warn(diagnosis.FewSamples, diagnosis.Facts{
		"samples": n, "error": units.Fixed(100*standardError(0.1, n), 1), "enough": Few, "time": took, "rate": rate, "unknown": rate == "",
	})
}

// standardError returns the standard error of a share, as for independent samples (binomial).
func standardError(share float64, n int64) float64 {
	return math.Sqrt(share * (1 - share) / float64(n))
}
