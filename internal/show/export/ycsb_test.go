package export

import (
	"encoding/json"
	"testing"
)

func TestYCSBNumbers(t *testing.T) {
	for x, want := range map[float64]json.Number{
		0: "0.0", 1: "1.0", 98.91196834817013: "98.91196834817013", 9999999: "9999999.0", 1e7: "1.0E7", 2.7412e7: "2.7412E7", 0.001: "0.001", 0.0001: "1.0E-4",
	} {
		if got := javaDouble(x); got != want {
			t.Errorf("%v is %s, in Java %s", x, got, want)
		}
	}
	for p, want := range map[float64]string{1: "1st", 2: "2nd", 3: "3rd", 11: "11th", 12: "12th", 13: "13th", 50: "50th", 91: "91st", 99: "99th", 99.9: "99.9"} {
		if got := ordinal(p); got != want {
			t.Errorf("%v is %s, want %s", p, got, want)
		}
	}
}
