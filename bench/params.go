package bench

import (
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"
)

// Params runs f as a sub-benchmark for each combination of parameter values, in
// the order of the fields, the last one varying fastest. T is a struct whose
// exported fields are the parameters; a tag lists the values of each:
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
// The names are Go's own: BenchmarkQueue/size=10/kind=spsc. The key is the name
// of the field with a small first word. Fields may be of any integer, float,
// string or bool type, a [time.Duration], or an [encoding.TextUnmarshaler]; a
// bool without a tag has false and true. Values that a tag cannot hold, because
// the program computes them, are given as [P]; they replace those of the tag.
// Where skip says yes the combination is left out; nil leaves out none.
//
// The parameters are a struct, and not a map from names to values, so that the
// compiler finds the misspelled name and the wrong type, in the body of the
// benchmark and in skip.
//
// Names are to be read without quotes by every tool, so a value is neither empty
// nor contains blanks, "/", "=" or what cannot be printed. At GOMAXPROCS=1 a
// name that ends in "-" and digits, such as delta=-1, is read wrongly by tools
// that take this for the number of processors; put such a field first.
//
// A value or a list that is wrong fails this benchmark.
func Params[T any](b *testing.B, skip func(p T) bool, f func(b *testing.B, p T), lists ...List) {
	b.Helper()
	axes, err := axesOf(reflect.TypeFor[T](), lists)
	if err != nil {
		b.Fatalf("bench: Params: %v", err)
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

// P lists the values of the parameter called key, as it stands in names:
// bench.P("workers", 1, runtime.NumCPU()). The values are of the field's type,
// or numbers that fit it.
func P(key string, values ...any) List { return List{key, values} }

// axis is one parameter.
type axis struct {
	key    string
	field  int
	values []choice
}

// choice is one value of a parameter and how it is written in names.
type choice struct {
	value reflect.Value
	text  string
}

// axesOf finds the parameters of a struct.
func axesOf(t reflect.Type, lists []List) ([]axis, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%v is no struct", t)
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
			return nil, fmt.Errorf("two fields of %v are called %q in names", t, a.key)
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
		return nil, fmt.Errorf("a list for %q, which is no field of %v", key, t)
	}
	if len(axes) == 0 {
		return nil, fmt.Errorf("%v has no fields", t)
	}
	return axes, nil
}

// fill finds the values of a parameter.
func (a *axis) fill(f reflect.StructField, list []any, has bool) error {
	tag, tagged := f.Tag.Lookup("bench")
	switch {
	case has:
	case tagged && tag != "":
		for _, text := range strings.Split(tag, ",") {
			list = append(list, fromTag(strings.TrimSpace(text)))
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
			return fmt.Errorf("parameter %q: the value %s stands twice", a.key, c.text)
		}
		seen[c.text] = true
		a.values = append(a.values, c)
	}
	return nil
}

// combine yields the combinations of the axes' values with their names.
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
