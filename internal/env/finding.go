package env

import (
	"fmt"
	"strconv"
	"time"
)

// Level is the severity of a finding.
type Level string

const (
	OK   Level = "ok"   // no problem
	Warn Level = "warn" // a problem; Advice says what to do
	NA   Level = "n/a"  // not available; Text says why
)

// Finding is the result of one probe, one line of "tare doctor".
type Finding struct {
	Level  Level  `json:"level"`
	Name   string `json:"name"`             // stable, for scripts: clock, steal, governor …
	Text   string `json:"text"`             // one line, with figures
	Advice string `json:"advice,omitempty"` // one line; set with Warn, and with NA if something helps
}

func ok(name, format string, args ...any) Finding {
	return Finding{Level: OK, Name: name, Text: fmt.Sprintf(format, args...)}
}

func warn(name, advice, format string, args ...any) Finding {
	return Finding{Level: Warn, Name: name, Text: fmt.Sprintf(format, args...), Advice: advice}
}

func notAvailable(name, format string, args ...any) Finding {
	return Finding{Level: NA, Name: name, Text: fmt.Sprintf(format, args...)}
}

// shareText prints a share with one decimal.
func shareText(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// sizeText prints bytes with a binary prefix and three digits.
func sizeText(n int64) string {
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
	return numberText(v) + " " + unit
}

// durationText prints a duration with three digits.
func durationText(d time.Duration) string {
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
	return numberText(v) + " " + unit
}

// numberText prints a number with three digits.
func numberText(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// countText prints "1 node", "2 nodes".
func countText(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
