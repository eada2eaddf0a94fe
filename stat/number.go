package stat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Number is a float64 that JSON can carry. NaN, which is a figure that is not known, is
// written as null; the infinities, which are bounds, as the strings "+Inf" and "-Inf".
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	f := float64(n)
	switch {
	case math.IsNaN(f):
		return []byte("null"), nil
	case math.IsInf(f, 1):
		return []byte(`"+Inf"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-Inf"`), nil
	}
	return json.Marshal(f)
}

// UnmarshalJSON implements json.Unmarshaler. It also takes "NaN", which older versions wrote.
func (n *Number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	f, err := strconv.ParseFloat(string(bytes.Trim(b, `"`)), 64)
	if err != nil {
		return fmt.Errorf("%s is not a number", b)
	}
	*n = Number(f)
	return nil
}
