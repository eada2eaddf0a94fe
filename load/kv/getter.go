package kv

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/tarebench/tare/load"
)

// A Getter reads typed properties and keeps what is wrong with them, so that all
// of it can be said at once. A value that cannot be read is replaced by the
// default. White space around values is ignored.
type Getter struct {
	props Properties
	errs  []error
}

// Getter returns a Getter that has seen no error yet.
func (p Properties) Getter() *Getter { return &Getter{props: p} }

// Err returns all errors, one line each, or nil.
func (g *Getter) Err() error { return errors.Join(g.errs...) }

// Fail adds an error that names a property and its value, redacted: "property
// redis.pool=0: must be above 0".
func (g *Getter) Fail(name, why string) {
	g.errs = append(g.errs, fmt.Errorf("property %s=%s: %s", name, load.Redact(name, g.props[name]), why))
}

// Has reports whether the property was given.
func (g *Getter) Has(name string) bool {
	_, ok := g.props[name]
	return ok
}

// String returns a value unchanged, or the default or if the property is not set.
func (g *Getter) String(name, or string) string {
	if v, ok := g.props[name]; ok {
		return strings.TrimSpace(v)
	}
	return or
}

// OneOf is String for one of several words. The default need not be among them.
func (g *Getter) OneOf(name, or string, words ...string) string {
	v := g.String(name, or)
	if v == or || slices.Contains(words, v) {
		return v
	}
	why := "want " + strings.Join(words, ", ")
	if near := nearest(v, words); near != "" {
		why += "; did you mean " + near + "?"
	}
	g.Fail(name, why)
	return or
}

// Int returns an integer.
func (g *Getter) Int(name string, or int64) int64 {
	return get(g, name, or, func(v string) (int64, error) {
		n, err := strconv.ParseInt(v, 10, 64)
		if errors.Is(err, strconv.ErrRange) {
			return 0, errors.New("out of the range of 64-bit integers")
		}
		if err != nil {
			return 0, errors.New("want a whole number")
		}
		return n, nil
	})
}

// IntIn is Int for numbers from lowest to highest.
func (g *Getter) IntIn(name string, or, lowest, highest int64) int64 {
	n := g.Int(name, or)
	if n == or || (n >= lowest && n <= highest) {
		return n
	}
	if highest == math.MaxInt64 {
		g.Fail(name, fmt.Sprintf("must be at least %d", lowest))
	} else {
		g.Fail(name, fmt.Sprintf("must be %d to %d", lowest, highest))
	}
	return or
}

// Float returns a finite number.
func (g *Getter) Float(name string, or float64) float64 {
	return get(g, name, or, func(v string) (float64, error) {
		x, err := strconv.ParseFloat(v, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, errors.New("want a number")
		}
		return x, nil
	})
}

// Bool returns true or false. It also accepts yes, no, on, off, 1 and 0, in upper or
// lower case.
func (g *Getter) Bool(name string, or bool) bool {
	return get(g, name, or, func(v string) (bool, error) {
		switch strings.ToLower(v) {
		case "true", "yes", "on", "1":
			return true, nil
		case "false", "no", "off", "0":
			return false, nil
		}
		return false, errors.New("want true or false")
	})
}

// Duration returns a non-negative duration such as 1.5ms or 10s.
func (g *Getter) Duration(name string, or time.Duration) time.Duration {
	return get(g, name, or, func(v string) (time.Duration, error) {
		d, err := time.ParseDuration(v)
		if err != nil {
			return 0, errors.New("want a duration such as 10ms or 2s")
		}
		if d < 0 {
			return 0, errors.New("must not be negative")
		}
		return d, nil
	})
}

func get[T any](g *Getter, name string, or T, parse func(string) (T, error)) T {
	v, ok := g.props[name]
	if !ok {
		return or
	}
	x, err := parse(strings.TrimSpace(v))
	if err != nil {
		g.Fail(name, err.Error())
		return or
	}
	return x
}

// Known adds an error for every property that begins with a prefix and is not among
// those known, with the nearest known name. It names at most mostUnknown of them.
func (g *Getter) Known(prefix string, known []Property) {
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = k.Name
	}
	unknown := 0
	for _, name := range g.props.Names() {
		if !strings.HasPrefix(name, prefix) || slices.Contains(names, name) {
			continue
		}
		if unknown++; unknown > mostUnknown {
			continue
		}
		err := fmt.Errorf("unknown property %s", shownName(name, g.props[name]))
		if near := nearest(name, names); near != "" {
			err = fmt.Errorf("unknown property %s: did you mean %s?", shownName(name, g.props[name]), near)
		}
		g.errs = append(g.errs, err)
	}
	if more := unknown - mostUnknown; more > 0 {
		g.errs = append(g.errs, fmt.Errorf("and %d more; is this a file of properties?", more))
	}
}

// shownName returns an unknown property's name as an error has it. Of a line without a separator everything is the name,
// also what was meant to be a value and may be a secret: then the beginning is shown, and in any case nothing behind the
// first character that no name has.
func shownName(name, value string) string {
	const enough = 12
	i := strings.IndexFunc(name, func(r rune) bool {
		return r != '.' && r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if value == "" && len(name) > enough && (i < 0 || i > enough) {
		i = enough
	}
	if i < 0 {
		return name
	}
	return strings.ToValidUTF8(name[:i], "") + "…"
}

// mostUnknown is how many unknown properties are named: a file of another kind has
// one on each line.
const mostUnknown = 5
