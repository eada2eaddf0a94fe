package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// histRange is the part of a log that is asked for: intervals that start at from or
// later, and before to. Ranges that meet share none.
type histRange struct{ from, to histBound }

// histBound is an end of a range: a time, or a distance from the log's start.
type histBound struct {
	set   bool
	at    time.Time // absolute, unless zero
	after time.Duration
}

// time is the end in a log with that start.
func (b histBound) time(start time.Time) time.Time {
	if !b.at.IsZero() {
		return b.at
	}
	return start.Add(b.after)
}

// has reports whether a time is in the range, of a log with that start.
func (r histRange) has(t, start time.Time) bool {
	return !(r.from.set && t.Before(r.from.time(start)) || r.to.set && !t.Before(r.to.time(start)))
}

func (r histRange) String() string {
	switch {
	case r.from.set && r.to.set:
		return fmt.Sprintf("between %s and %s", r.from, r.to)
	case r.from.set:
		return fmt.Sprintf("at %s or later", r.from)
	case r.to.set:
		return fmt.Sprintf("before %s", r.to)
	}
	return "at any time"
}

func (b histBound) String() string {
	if !b.at.IsZero() {
		return histTime(b.at)
	}
	return secondsOf(b.after)
}

// histTime writes a time of a log, which are exact to the millisecond.
func histTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999Z07:00") }

// secondsOf writes a duration as seconds, without needless zeros.
func secondsOf(d time.Duration) string {
	return strconv.FormatFloat(d.Round(time.Millisecond).Seconds(), 'f', -1, 64) + " s"
}

// rangeFlags are the flags that choose a range.
type rangeFlags struct{ from, to string }

func (f *rangeFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.from, "from", "", "only intervals that start at this `TIME` or later: seconds or a duration since the log's start\n(90, 1m30s), or a time (2026-01-02T03:04:05Z, or seconds since 1970)")
	fl.StringVar(&f.to, "to", "", "only intervals that start before this `TIME`, likewise")
}

// parse reads both ends.
func (f *rangeFlags) parse() (r histRange, err error) {
	if r.from, err = parseBound(f.from); err != nil {
		return r, usageError(fmt.Errorf("--from %w", err), "")
	}
	if r.to, err = parseBound(f.to); err != nil {
		return r, usageError(fmt.Errorf("--to %w", err), "")
	}
	if r.from.set && r.to.set && r.from.at.IsZero() == r.to.at.IsZero() && !r.from.time(time.Time{}).Before(r.to.time(time.Time{})) {
		return r, usageError(fmt.Errorf("--from %s, --to %s: the range is empty", f.from, f.to), "intervals count that start before --to")
	}
	return r, nil
}

// epochFrom is the number from which on seconds count from 1970: no run lasts for
// 31 years, and no log is from before 2001.
const epochFrom = 1e9

var errBound = errors.New("neither seconds nor a duration such as 1m30s nor a time such as 2026-01-02T03:04:05Z")

// parseBound reads one end of a range; without a text there is none.
func parseBound(s string) (histBound, error) {
	if s == "" {
		return histBound{}, nil
	}
	b := histBound{set: true}
	if t, err := time.Parse(time.RFC3339, strings.Replace(s, " ", "T", 1)); err == nil {
		b.at = t
		return b, nil
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		b.after = d
		return b, nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0 && x < 1e11) {
		return b, fmt.Errorf("%q is %w", s, errBound)
	}
	if x >= epochFrom {
		b.at = time.UnixMicro(int64(math.Round(x * 1e6)))
	} else {
		b.after = time.Duration(math.Round(x*1e6)) * time.Microsecond
	}
	return b, nil
}
