package listing

import (
	"fmt"
	"math"

	"github.com/tarebench/tare/record"

	"github.com/tarebench/tare/internal/base/units"
)

const (
	// fewSamples is the number below which shares are too rough to read: a tenth of
	// as many is known to one point.
	fewSamples = 1000
	// maxLost is the share of samples that may be lost unsaid.
	maxLost = 0.01
	// maxSplit is the share of samples that may be within an instruction: Go's
	// profiler has the address before the one where a call returns for some.
	maxSplit = 0.05
)

// noSamples returns why there are none, and how long to measure.
func noSamples(e *record.AsmEvent) error {
	long := "measure longer"
	if rate := rateOf(e); rate > 0 {
		long = fmt.Sprintf("at %s, %d need %s of CPU time", hertz(rate), fewSamples, units.Trimmed(fewSamples/rate, 2)+" s")
	}
	if e.Outside > 0 {
		return fmt.Errorf("%w of %s: all %d were outside of the measured iterations; %s", ErrNoSamples, e.Name, e.Outside, long)
	}
	return fmt.Errorf("%w of %s: the program was too short, or waited all the time; %s", ErrNoSamples, e.Name, long)
}

// rateOf returns the rate at which an event was sampled, in Hz; 0: not known.
func rateOf(e *record.AsmEvent) float64 {
	if e.Achieved > 0 {
		return e.Achieved
	}
	return e.Asked
}

func hertz(x float64) string { return units.Count(int64(math.Round(min(x, 1e12)))) + " Hz" }

// warn finds the warnings, the gravest first.
func (l *Listing) warn() {
	later := l.warnings // of the disassembler
	l.warnings = nil
	add := func(code, advice, format string, args ...any) {
		l.warnings = append(l.warnings, Warning{Code: code, Text: fmt.Sprintf(format, args...), Advice: advice})
	}
	for i := range l.asm.Events {
		l.warnEvent(&l.asm.Events[i], add)
	}
	if l.asm.Window == record.AsmRough {
		add("window", "deep mode gives the marks of the iterations",
			"the window is approximate: it is the time between result lines, so that set-up may be among the samples")
	}
	split := int64(0)
	for _, f := range l.funcs {
		split += f.split
	}
	if float64(split) > maxSplit*float64(l.all[0]) {
		add("split", "check that the samples are of this very binary", "%s samples are at addresses that begin no instruction; they count for the one around", units.Count(split))
	}
	l.warnShown(add)
	if l.cfg.Counts == PerOp && l.unit.counts != PerOp {
		why := "operations were not counted"
		if l.asm.Ops > 0 {
			why = l.asm.Events[0].Name + " is no clock"
		}
		add("perop", "", "no times per operation: %s; shares are shown instead", why)
	}
	l.warnings = append(l.warnings, later...)
}

// warnEvent tells of how an event was sampled.
func (l *Listing) warnEvent(e *record.AsmEvent, add func(code, advice, format string, args ...any)) {
	about := ""
	if l.many() {
		about = " of " + e.Name
	}
	if e.Samples < fewSamples {
		advice := "measure longer"
		if rate := rateOf(e); rate > 0 {
			advice += fmt.Sprintf(", or sample faster: %d samples at %s need %s of CPU time", fewSamples, hertz(rate), units.Trimmed(fewSamples/rate, 2)+" s")
		}
		if e.Samples == 0 {
			add("few-samples", advice, "no samples%s", about)
		} else {
			add("few-samples", advice, "only %d samples%s: a share of 10 %% is known to ± %s points",
				e.Samples, about, units.Fixed(200*deviation(0.1, e.Samples), 1))
		}
	}
	if all := float64(e.Samples) + float64(e.Outside) + float64(e.Lost); float64(e.Lost) > maxLost*all {
		add("lost", "sample at a lower frequency", "%s%s were lost: shares may be wrong where the program was busiest", units.PercentTo(float64(e.Lost)/all, 2), orSamples(about))
	}
	if e.Throttled > 0 {
		add("throttled", "sample at a lower frequency", "the kernel paused sampling%s %s times", about, units.Count(e.Throttled))
	}
}

func orSamples(about string) string {
	if about == "" {
		return " of the samples"
	}
	return about
}

// warnCold tells that no region is above the threshold, and which one is shown instead.
func (l *Listing) warnCold(add func(code, advice, format string, args ...any)) {
	hottest := l.share(l.regions[0].samples)
	text := fmt.Sprintf("no region has more than %s of the samples; the hottest has %s", units.PercentTo(l.cfg.Hot, 2), units.PercentTo(hottest, 2))
	switch r := l.own; {
	case r == nil:
	case r.fn.rec.Area == record.AreaUser:
		text += ", and the hottest of your own code, which is shown, " + units.PercentTo(l.share(r.samples), 2)
	default:
		text += ", and the one that is shown " + units.PercentTo(l.share(r.samples), 2)
	}
	add("no-hot-region", "show more: --hot "+threshold(hottest), "%s", text)
}

// warnShown tells why there is no code where somebody expects it.
func (l *Listing) warnShown(add func(code, advice, format string, args ...any)) {
	if l.cfg.Func == nil {
		if !l.hot(l.regions[0]) {
			l.warnCold(add)
		}
		return
	}
	if len(l.shown()) > 0 {
		return
	}
	for _, f := range l.funcs {
		for _, in := range f.rec.Inlines {
			if l.cfg.Func.MatchString(in.Name) {
				add("no-function", "show that one", "%s is inlined into %s: it has no code of its own there", in.Name, f.rec.Name)
				return
			}
		}
	}
	add("no-function", "the lists name those that there are", "no function with samples matches %s", l.cfg.Func)
}

// threshold returns a round number below a share, to be typed.
func threshold(share float64) string {
	if !(share > 0) {
		return "-1"
	}
	ten := math.Pow10(int(math.Floor(math.Log10(share))))
	x := math.Ceil(share/ten-1) * ten // strictly below
	if x <= 0 {
		x = ten / 2
	}
	return fmt.Sprintf("%.3g", x)
}
