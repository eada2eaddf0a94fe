package units

import (
	"math"
	"strings"

	"github.com/tarebench/tare/record"
)

// Scale is how the values of a unit are shown: divided by Div, with a unit whose
// parts are put together by Long, Short and others.
type Scale struct {
	Div    float64
	name   string // what stands before the last "-", with it: "producer-"
	prefix string // "M " for counts
	what   string // "µs", "KiB", "op"
	per    string // "/op"
}

// Long returns the whole unit, for a row that does not name it otherwise.
func (s Scale) Long() string { return s.prefix + s.name + s.what + s.per }

// Short returns the unit of a row that names its unit as the benchmark reported it:
// nothing where that is the unit shown.
func (s Scale) Short() string {
	if s.Div == 1 {
		return ""
	}
	return s.prefix + s.what + s.per
}

// Whole returns the unit without the name before it: "µs/op" of "producer-µs/op".
func (s Scale) Whole() string { return s.prefix + s.what + s.per }

// Per returns what Whole has beside a name that tells what is counted: "M /op".
func (s Scale) Per() string { return strings.TrimSpace(s.prefix + s.per) }

// Each returns the unit of one operation, without "/op".
func (s Scale) Each() string { return s.prefix + s.name + s.what }

// Versus is Long without the "/op" of a plain time, which goes without saying where
// two times are held side by side.
func (s Scale) Versus() string {
	if s.per == "/op" && s.name == "" && record.IsTime(s.what+s.per) {
		return s.what
	}
	return s.Long()
}

// IsBytes reports whether values are shown in plain bytes.
func (s Scale) IsBytes() bool { return s.what == "B" }

// Number returns v in the unit of the scale, without the unit.
func (s Scale) Number(v float64, digits int) string {
	v /= s.Div
	return Digits(v, digits).Text(v)
}

// ScaleOf returns how to show values of the size of v. Times go by thousands
// from ns to s, bytes by 1024 once they are big, and rates by thousands. Other
// units are scaled only when the value is huge, because it is unknown what they count.
func ScaleOf(unit string, v float64) Scale {
	s := splitUnit(unit)
	v = math.Abs(v)
	switch {
	case record.IsTime(unit):
		return s.time(v)
	case s.what == "MB" && record.IsRate(unit):
		return s.step(v, 1e3, 1000, 999.5, "kB", "MB", "GB", "TB")
	case s.what == "B" && record.IsRate(unit):
		return s.step(v, 1, 1000, 999.5, "B", "kB", "MB", "GB", "TB")
	case s.what == "B":
		return s.bytes(v)
	case record.IsRate(unit):
		return s.count(v, 999.5)
	}
	return s.count(v, 999_995)
}

// splitUnit divides a unit as package record does: at the last slash, and at the
// last "-" before it.
func splitUnit(unit string) Scale {
	s := Scale{Div: 1, what: unit}
	if i := strings.LastIndexByte(unit, '/'); i >= 0 {
		s.what, s.per = unit[:i], unit[i:]
	}
	if i := strings.LastIndexByte(s.what, '-'); i >= 0 {
		s.name, s.what = s.what[:i+1], s.what[i+1:]
	}
	return s
}

func (s Scale) time(v float64) Scale {
	in := map[string]float64{"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "sec": 1e9}[s.what]
	if v == 0 {
		return s
	}
	return s.step(v, in, 1000, 999.5, "ns", "µs", "ms", "s")
}

// step chooses among units that each are base times the one before. The unit as
// reported is worth in of the first.
func (s Scale) step(v, in, base, limit float64, units ...string) Scale {
	x, size, i := v*in, 1.0, 0
	for i < len(units)-1 && x/size >= limit {
		size *= base
		i++
	}
	s.Div, s.what = size/in, units[i]
	return s
}

func (s Scale) bytes(v float64) Scale {
	if v < 10<<10 {
		return s
	}
	return s.step(v, 1, 1024, 1023.5, "B", "KiB", "MiB", "GiB", "TiB")
}

func (s Scale) count(v, limit float64) Scale {
	if v < limit || math.IsInf(v, 0) {
		return s
	}
	for _, p := range []string{"k ", "M ", "G ", "T "} {
		s.Div *= 1000
		s.prefix = p
		if v/s.Div < 999.5 {
			break
		}
	}
	return s
}
