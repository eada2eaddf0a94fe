package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Value is one figure of a sample with its unit.
type Value struct {
	Unit  string  // as Go writes it: "ns/op"
	Value float64 // any, NaN and the infinities included
}

// Values are the figures of a sample in the order in which the benchmark
// reported them. In a record file they are a JSON object; a value that JSON has
// no number for is written as one of the strings "NaN", "+Inf" and "-Inf".
//
// A unit may occur twice: values are written and read as they were reported, and
// [Values.Get] returns the first. Reading an object without values gives nil.
type Values []Value

// Get returns the value with the given unit.
func (v Values) Get(unit string) (float64, bool) {
	for _, x := range v {
		if x.Unit == unit {
			return x.Value, true
		}
	}
	return 0, false
}

// MarshalJSON implements [json.Marshaler].
func (v Values) MarshalJSON() ([]byte, error) { return appendValues(nil, v), nil }

// UnmarshalJSON implements [json.Unmarshaler].
func (v *Values) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil // by convention of encoding/json
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	t, err := d.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return fmt.Errorf("values are not an object")
	}
	var vs Values
	for d.More() {
		x, err := decodeValue(d)
		if err != nil {
			return err
		}
		vs = append(vs, x)
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	*v = vs
	return nil
}

// decodeValue reads one key and its value.
func decodeValue(d *json.Decoder) (Value, error) {
	t, err := d.Token()
	if err != nil {
		return Value{}, err
	}
	x := Value{Unit: t.(string)} // Decoder allows nothing else as a key
	t, err = d.Token()
	if err != nil {
		return Value{}, err
	}
	switch t := t.(type) {
	case json.Number:
		x.Value, err = strconv.ParseFloat(t.String(), 64)
		if err != nil {
			return Value{}, fmt.Errorf("value of %q: %s does not fit a float64", x.Unit, t)
		}
		return x, nil
	case string:
		f, ok := special([]byte(t))
		if ok {
			x.Value = f
			return x, nil
		}
	}
	return Value{}, fmt.Errorf(`value of %q: want a number, "NaN", "+Inf" or "-Inf"`, x.Unit)
}

// special returns a value that has no JSON number.
func special(text []byte) (f float64, ok bool) {
	switch string(text) {
	case "NaN":
		return math.NaN(), true
	case "+Inf":
		return math.Inf(1), true
	case "-Inf":
		return math.Inf(-1), true
	}
	return 0, false
}
