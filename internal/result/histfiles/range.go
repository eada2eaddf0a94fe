package histfiles

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/units"
)

// Range is a part of a log: intervals that start at From or later, and before To. So
// ranges that meet share no interval. The zero value is the whole log.
type Range struct{ From, To Bound }

// Bound is an end of a range: a time, or a distance from the log's start. The zero value
// is no bound.
type Bound struct {
	Set   bool
	At    time.Time // zero: Since counts
	Since time.Duration
}

// Time returns the bound in a log that starts at start.
func (b Bound) Time(start time.Time) time.Time {
	if !b.At.IsZero() {
		return b.At
	}
	return start.Add(b.Since)
}

// Contains reports whether t lies in the range, in a log that starts at start.
func (r Range) Contains(t, start time.Time) bool {
	return !(r.From.Set && t.Before(r.From.Time(start)) || r.To.Set && !t.Before(r.To.Time(start)))
}

func (r Range) String() string {
	switch {
	case r.From.Set && r.To.Set:
		return fmt.Sprintf("between %s and %s", r.From, r.To)
	case r.From.Set:
		return fmt.Sprintf("at %s or later", r.From)
	case r.To.Set:
		return fmt.Sprintf("before %s", r.To)
	}
	return "at any time"
}

func (b Bound) String() string {
	if !b.At.IsZero() {
		return formatTime(b.At)
	}
	return formatSeconds(b.Since)
}

// formatTime writes a time to the millisecond, which is the resolution of a log.
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999Z07:00") }

// formatSeconds writes a duration to the millisecond: 90 s, 1.5 s.
func formatSeconds(d time.Duration) string {
	return units.Plain(d.Round(time.Millisecond).Seconds()) + " s"
}

// ParseRange reads the values of --from and --to; an empty text is no bound. A bound is
// seconds or a duration since the log's start (90, 1m30s), or a time
// (2026-01-02T03:04:05Z, or seconds since 1970).
func ParseRange(from, to string) (r Range, err error) {
	if r.From, err = parseBound(from); err != nil {
		return r, exit.Usage(fmt.Errorf("--from %w", err), "")
	}
	if r.To, err = parseBound(to); err != nil {
		return r, exit.Usage(fmt.Errorf("--to %w", err), "")
	}
	sameKind := r.From.At.IsZero() == r.To.At.IsZero()
	if r.From.Set && r.To.Set && sameKind && !r.From.Time(time.Time{}).Before(r.To.Time(time.Time{})) {
		return r, exit.Usage(fmt.Errorf("--from %s, --to %s: the range is empty", from, to), "intervals count that start before --to")
	}
	return r, nil
}

// epochFrom is the number from which on seconds count from 1970: no run lasts for
// 31 years, and no log is older than 2001.
const epochFrom = 1e9

var errBound = errors.New("neither seconds nor a duration such as 1m30s nor a time such as 2026-01-02T03:04:05Z")

func parseBound(s string) (Bound, error) {
	if s == "" {
		return Bound{}, nil
	}
	b := Bound{Set: true}
	if t, err := time.Parse(time.RFC3339, strings.Replace(s, " ", "T", 1)); err == nil {
		b.At = t
		return b, nil
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		b.Since = d
		return b, nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0 && x < 1e11) {
		return b, fmt.Errorf("%q is %w", s, errBound)
	}
	if x >= epochFrom {
		b.At = time.UnixMicro(int64(math.Round(x * 1e6)))
	} else {
		b.Since = time.Duration(math.Round(x*1e6)) * time.Microsecond
	}
	return b, nil
}
