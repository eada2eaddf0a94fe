package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// digits are the significant digits that are kept of values that are not whole: the noise of a fork is greater by far.
const digits = 5

// maxWhole is the greatest value up to which every whole number is one of a float64.
const maxWhole = 1 << 53

// Values are finite numbers. In a file whole ones are exact, and others have 5 significant digits.
type Values []float64

// MarshalJSON returns the values as an array.
func (v Values) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, 2+8*len(v)), '[')
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, errors.New("a value is not finite")
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = appendValue(out, x)
	}
	return append(out, ']'), nil
}

func appendValue(out []byte, x float64) []byte {
	if !isWhole(x) {
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64) // may be whole now, and is written as such
	}
	if isWhole(x) {
		return strconv.AppendInt(out, int64(x), 10)
	}
	return strconv.AppendFloat(out, x, 'g', -1, 64)
}

func isWhole(x float64) bool { return x == math.Trunc(x) && math.Abs(x) < maxWhole }

// UnmarshalJSON reads an array of numbers.
func (v *Values) UnmarshalJSON(text []byte) error {
	if out, ok := readValues(text); ok {
		*v = out
		return nil
	}
	var list []float64
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*v = list
	return nil
}

// readValues reads an array as MarshalJSON writes it. It reports false for any other text.
func readValues(text []byte) (Values, bool) {
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil, false
	}
	rest := text[1 : len(text)-1]
	if len(rest) == 0 {
		return Values{}, true
	}
	out := make(Values, 0, bytes.Count(rest, []byte{','})+1)
	for more := true; more; {
		var number []byte
		number, rest, more = bytes.Cut(rest, []byte{','})
		x, ok := readValue(number)
		if !ok {
			return nil, false
		}
		out = append(out, x)
	}
	return out, true
}

// readValue reads a number as JSON has it.
func readValue(text []byte) (float64, bool) {
	digit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	first := 0
	if len(text) > 0 && text[0] == '-' {
		first = 1
	}
	if !digit(first) || !digit(len(text)-1) || text[first] == '0' && digit(first+1) {
		return 0, false
	}
	for i, c := range text[first:] {
		if c != '.' && c != 'e' && c != '+' && c != '-' && !digit(first+i) || c == '.' && !digit(first+i+1) {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(text), 64)
	return x, err == nil
}
