package bench

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// tagText is a value's text in a tag.
type tagText string

// choose converts a listed value to a parameter's type.
func choose(t reflect.Type, x any) (choice, error) {
	v := reflect.New(t).Elem()
	if text, ok := x.(tagText); ok {
		if err := parse(v, string(text)); err != nil {
			return choice{}, err
		}
	} else if err := assign(v, x); err != nil {
		return choice{}, err
	}
	text := write(v)
	if err := checkText(text); err != nil {
		return choice{}, err
	}
	return choice{v, text}, nil
}

// assign sets v to x, if x is of v's type or a number that v can hold.
func assign(v reflect.Value, x any) error {
	from := reflect.ValueOf(x)
	switch {
	case !from.IsValid():
		return errors.New("a value is nil")
	case from.Type().AssignableTo(v.Type()):
		v.Set(from)
		return nil
	case from.Kind() == v.Kind() && from.CanConvert(v.Type()):
		v.Set(from.Convert(v.Type()))
		return nil
	case isNumber(from) && isNumber(v):
		to := from.Convert(v.Type())
		if back := to.Convert(from.Type()); back.Equal(from) && negative(to) == negative(from) {
			v.Set(to)
			return nil
		}
	}
	return fmt.Errorf("%v of type %T does not fit type %v", x, x, v.Type())
}

func isNumber(v reflect.Value) bool { return v.CanInt() || v.CanUint() || v.CanFloat() }

func negative(v reflect.Value) bool {
	return v.CanInt() && v.Int() < 0 || v.CanFloat() && v.Float() < 0
}

// parse sets v to the value of a text.
func parse(v reflect.Value, text string) (err error) {
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	bits := 0
	if isNumber(v) {
		bits = v.Type().Bits()
	}
	switch {
	case v.Type() == reflect.TypeFor[time.Duration]():
		var d time.Duration
		if d, err = time.ParseDuration(text); err == nil {
			v.SetInt(int64(d))
		}
		return err
	case v.Kind() == reflect.String:
		v.SetString(text)
		return nil
	case v.Kind() == reflect.Bool:
		var b bool
		if b, err = strconv.ParseBool(text); err == nil {
			v.SetBool(b)
		}
	case v.CanInt():
		var n int64
		if n, err = strconv.ParseInt(text, 0, bits); err == nil {
			v.SetInt(n)
		}
	case v.CanUint():
		var n uint64
		if n, err = strconv.ParseUint(text, 0, bits); err == nil {
			v.SetUint(n)
		}
	case v.CanFloat():
		var f float64
		if f, err = strconv.ParseFloat(text, bits); err == nil {
			v.SetFloat(f)
		}
	default:
		return fmt.Errorf("type %v cannot be a parameter: it is not a number, string or bool, and has no UnmarshalText", v.Type())
	}
	if err != nil {
		return fmt.Errorf("%q is not a valid %v", text, v.Type())
	}
	return nil
}

// write returns a value's text in names.
func write(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case encoding.TextMarshaler:
		text, err := x.MarshalText()
		if err != nil {
			return ""
		}
		return string(text)
	case fmt.Stringer:
		return x.String()
	}
	if v.CanFloat() {
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	}
	return fmt.Sprint(v.Interface())
}

// checkText returns an error if a value would need quotes in a name.
func checkText(text string) error {
	switch {
	case text == "":
		return errors.New("a value is empty")
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '/' || r == '=' }):
		return fmt.Errorf(`the value %q has a blank, "/", "=" or an unprintable character`, text)
	}
	return nil
}

// keyOf returns the key of a field: its name with the first word in lower case. MaxSize becomes maxSize, N n,
// URLPath urlPath.
func keyOf(field string) string {
	rs := []rune(field)
	for i, r := range rs {
		last := i > 0 && i+1 < len(rs) && unicode.IsLower(rs[i+1]) // the next word begins
		if !unicode.IsUpper(r) || last {
			break
		}
		rs[i] = unicode.ToLower(r)
	}
	return string(rs)
}
