package env

import (
	"fmt"
	"strconv"
	"time"
)

// Level is how a finding is to be taken.
type Level string

const (
	OK   Level = "ok"   // does not stand in the way
	Warn Level = "warn" // does, and Advice says what to do about it
	NA   Level = "n/a"  // could not be found out, and Text says why
)

// Finding is what one probe found, for one line of "tare doctor".
type Finding struct {
	Level  Level  `json:"level"`
	Name   string `json:"name"`             // stable, for scripts: clock, steal, governor …
	Text   string `json:"text"`             // one line, with figures
	Advice string `json:"advice,omitempty"` // one line, with Warn, and with NA where something helps
}

func ok(name, format string, args ...any) Finding {
	return Finding{Level: OK, Name: name, Text: fmt.Sprintf(format, args...)}
}

func warn(name, advice, format string, args ...any) Finding {
	return Finding{Level: Warn, Name: name, Text: fmt.Sprintf(format, args...), Advice: advice}
}

func na(name, format string, args ...any) Finding {
	return Finding{Level: NA, Name: name, Text: fmt.Sprintf(format, args...)}
}

// percent prints a share with one decimal.
func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// size prints bytes with a binary prefix and three digits.
func size(n int64) string {
	v, unit := float64(n), "B"
	for _, u := range []string{"KiB", "MiB", "GiB", "TiB", "PiB"} {
		if v < 1024 {
			break
		}
		v, unit = v/1024, u
	}
	if unit == "B" || v >= 100 {
		return fmt.Sprintf("%.0f %s", v, unit)
	}
	return figure(v) + " " + unit
}

// span prints a duration with three digits.
func span(d time.Duration) string {
	v, unit := float64(d), "ns"
	for _, u := range []struct {
		name string
		per  float64
	}{{"µs", 1e3}, {"ms", 1e3}, {"s", 1e3}} {
		if v < 1000 {
			break
		}
		v, unit = v/u.per, u.name
	}
	return figure(v) + " " + unit
}

// figure prints a number with three digits.
func figure(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// count prints "1 node", "2 nodes".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
