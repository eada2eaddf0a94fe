package bench

import (
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"
)

// Params runs f as a sub-benchmark for each combination of parameter values, in the order of the fields, the
// last varying fastest. T is a struct whose exported fields are the parameters; a tag lists the values of
// each:
//
//	type params struct {
//		Size int    `bench:"10,1000"`
//		Kind string `bench:"spsc,mpmc"`
//	}
//
//	func BenchmarkQueue(b *testing.B) {
//		bench.Params(b, nil, func(b *testing.B, p params) {
//			q := newQueue(p.Kind, p.Size)
//			…
//		})
//	}
//
// Names follow Go's convention: BenchmarkQueue/size=10/kind=spsc. The key is the field's name with its first
// word in lower case. Fields may be of any integer, float, string or bool type, a [time.Duration], or an
// [encoding.TextUnmarshaler]; a bool without a tag has the values false and true. Values that the program
// computes are given as [P] and replace those of the tag. Params skips combinations for which skip returns
// true; a nil skip skips none.
//
// The parameters are a struct rather than a map, so that the compiler finds misspelled names and wrong types.
//
// Every tool must be able to read names without quotes, so a value must not be empty and must not contain
// blanks, "/", "=" or unprintable characters. At GOMAXPROCS=1 tools take "-" and digits at the end of a name,
// such as delta=-1, for the number of processors; put such a field first.
//
// An invalid value or list fails the benchmark.
func Params[T any](b *testing.B, skip func(p T) bool, f func(b *testing.B, p T), lists ...List) {
	b.Helper()
	axes, err := axesOf(reflect.TypeFor[T](), lists)
	if err != nil {
		b.Fatalf("bench: Params: %v", err)
	}
	if f == nil {
		b.Fatalf("bench: Params: f is nil")
	}
	left := false
	for name, p := range combine[T](axes) {
		if skip == nil || !skip(p) {
			left = true
			b.Run(name, func(b *testing.B) { f(b, p) })
		}
	}
	if !left {
		b.Skip("bench: Params: skip leaves no combination")
	}
}

// A List is the values of one parameter; see [P].
type List struct {
	key    string
	values []any
}

// P lists the values of the parameter whose key in names is key: bench.P("workers", 1, runtime.NumCPU()).
// Values must be of the field's type, or numbers that fit it.
func P(key string, values ...any) List { return List{key, values} }

// axis is one parameter.
type axis struct {
	key    string
	field  int
	values []choice
}

// choice is one value of a parameter and its text in names.
type choice struct {
	value reflect.Value
	text  string
}

// axesOf returns the parameters of a struct type.
func axesOf(t reflect.Type, lists []List) ([]axis, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%v is not a struct", t)
	}
	given := map[string][]any{}
	for _, l := range lists {
		if _, twice := given[l.key]; twice {
			return nil, fmt.Errorf("two lists for %q", l.key)
		}
		given[l.key] = l.values
	}
	var axes []axis
	keys := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		a := axis{key: keyOf(f.Name), field: i}
		if !f.IsExported() {
			return nil, fmt.Errorf("field %s of %v is not exported", f.Name, t)
		}
		if keys[a.key] {
			return nil, fmt.Errorf("two fields of %v have the key %q in names", t, a.key)
		}
		keys[a.key] = true
		list, has := given[a.key]
		delete(given, a.key)
		if err := a.fill(f, list, has); err != nil {
			return nil, err
		}
		axes = append(axes, a)
	}
	for key := range given {
		return nil, fmt.Errorf("a list for %q, which is not a field of %v", key, t)
	}
	if len(axes) == 0 {
		return nil, fmt.Errorf("%v has no fields", t)
	}
	return axes, nil
}

// fill sets the values of a parameter.
func (a *axis) fill(f reflect.StructField, list []any, has bool) error {
	tag, tagged := f.Tag.Lookup("bench")
	switch {
	case has:
	case tagged && tag != "":
		for _, text := range strings.Split(tag, ",") {
			list = append(list, tagText(strings.TrimSpace(text)))
		}
	case f.Type.Kind() == reflect.Bool:
		list = []any{false, true}
	}
	if len(list) == 0 {
		return fmt.Errorf("parameter %q has no values: give field %s a tag such as `bench:\"1,10\"`, or a list by bench.P", a.key, f.Name)
	}
	seen := map[string]bool{}
	for _, x := range list {
		c, err := choose(f.Type, x)
		if err != nil {
			return fmt.Errorf("parameter %q: %w", a.key, err)
		}
		if seen[c.text] {
			return fmt.Errorf("parameter %q: the value %s is listed twice", a.key, c.text)
		}
		seen[c.text] = true
		a.values = append(a.values, c)
	}
	return nil
}

// combine yields all combinations of the axes' values with their names.
func combine[T any](axes []axis) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		at := make([]int, len(axes))
		for i := 0; i >= 0; {
			var p T
			var name []string
			for i, a := range axes {
				v := a.values[at[i]]
				reflect.ValueOf(&p).Elem().Field(a.field).Set(v.value)
				name = append(name, a.key+"="+v.text)
			}
			if !yield(strings.Join(name, "/"), p) {
				return
			}
			for i = len(axes) - 1; i >= 0; i-- { // the last one varies fastest
				if at[i]++; at[i] < len(axes[i].values) {
					break
				}
				at[i] = 0
			}
		}
	}
}
