package job

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/units"
)

// Value is the field of an option as text. Set replaces the field, or adds to it if the option can be repeated.
type Value interface {
	String() string
	Set(string) error
	Type() string // int, duration, bool …, as help texts name it
}

// field is a Value in one piece.
type field[T any] struct {
	to    *T
	kind  string
	parse func(string) (T, error)
	text  func(T) string
}

func (f field[T]) String() string { return f.text(*f.to) }
func (f field[T]) Type() string   { return f.kind }

func (f field[T]) Set(s string) error {
	v, err := f.parse(s)
	if err == nil {
		*f.to = v
	}
	return err
}

func text(to *string) Value {
	return field[string]{to, "string", func(s string) (string, error) { return s, nil }, func(s string) string { return s }}
}

func number[T int | int64](to *T) Value {
	return field[T]{to, "int", func(s string) (T, error) {
		n, err := strconv.ParseInt(s, 10, reflect.TypeFor[T]().Bits())
		return T(n), err
	}, func(n T) string { return strconv.FormatInt(int64(n), 10) }}
}

func duration(to *time.Duration) Value {
	return field[time.Duration]{to, "duration", time.ParseDuration, time.Duration.String}
}

func flag(to *bool) Value {
	return field[bool]{to, "bool", strconv.ParseBool, strconv.FormatBool}
}

// Share is a part of a whole, between 0 and 1, that may be typed as 3% or 0.03. 0 is not set, and shown as nothing.
func Share(to *float64) Value {
	return field[float64]{to, "share", func(s string) (float64, error) {
		if s == "" {
			return 0, nil
		}
		return units.ParseShare(s)
	}, func(x float64) string {
		if x == 0 {
			return ""
		}
		return strconv.FormatFloat(100*x, 'g', 10, 64) + "%"
	}}
}

// Level is a confidence, which may be typed as 95% or 0.95.
func Level(to *float64) Value {
	return field[float64]{to, "share", func(s string) (float64, error) {
		x, err := units.ParseFraction(s)
		if err != nil {
			err = fmt.Errorf("%q is not a share such as 95%% or 0.95", s)
		}
		return x, err
	}, func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }}
}

// size is a number of bytes above 0; 0 is not set.
func size(to *int64) Value {
	return field[int64]{to, "size", func(s string) (int64, error) {
		n, err := units.ParseBytes(s)
		if err == nil && n < 1 {
			err = fmt.Errorf("%q is not above 0", s)
		}
		return n, err
	}, func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}}
}

// numbers is a list of numbers above 0, separated by commas.
func numbers(to *[]int) Value {
	return field[[]int]{to, "list", func(s string) (out []int, err error) {
		for _, word := range splitList(s) {
			n, err := strconv.Atoi(word)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("%q is not a list of numbers above 0", s)
			}
			out = append(out, n)
		}
		return out, nil
	}, func(list []int) string {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
	}}
}

// words is a list of words, separated by commas; a word that is repeated counts once.
func words(to *[]string) Value {
	return field[[]string]{to, "list", func(s string) (out []string, err error) {
		for _, word := range splitList(s) {
			if !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
		return out, nil
	}, func(list []string) string { return strings.Join(list, ",") }}
}

// splitList splits at commas.
func splitList(s string) (out []string) {
	if s == "" {
		return nil
	}
	for word := range strings.SplitSeq(s, ",") {
		out = append(out, strings.TrimSpace(word))
	}
	return out
}

// List is the value of an option that can be repeated.
type List struct{ to *[]string }

func (l List) String() string {
	if l.to == nil || len(*l.to) == 0 {
		return ""
	}
	return strings.Join(*l.to, " ")
}

func (l List) Set(s string) error { *l.to = append(*l.to, s); return nil }

// Type implements [Value].
func (List) Type() string { return "stringArray" }

// Append, Replace and GetSlice are the methods by which package pflag knows a list.
func (l List) Append(s string) error       { return l.Set(s) }
func (l List) Replace(list []string) error { *l.to = list; return nil }
func (l List) GetSlice() []string          { return *l.to }
