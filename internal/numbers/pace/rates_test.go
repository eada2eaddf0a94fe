package pace

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestParseRate(t *testing.T) {
	for s, want := range map[string]float64{
		"5000": 5000, "5000/s": 5000, "5/10s": 0.5, "300/m": 5, "1/h": 1.0 / 3600, "5k": 5000, "2.5k/s": 2500, "1M/s": 1e6, " 7 ": 7, "1/ms": 1000, "0.5": 0.5, "1e3/s": 1000,
	} {
		if got, err := ParseRate(s); err != nil || math.Abs(got-want) > 1e-12*want {
			t.Errorf("%q is %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "x", "/s", "5/", "5/x", "0", "-1", "0/s", "1e30", "2000M", "NaN", "Inf", "5/0s", "5/-1s", "5000s", "1..2"} {
		if got, err := ParseRate(s); err == nil {
			t.Errorf("%q is taken for %v", s, got)
		} else if !strings.Contains(err.Error(), fmt.Sprintf("%q", s)) {
			t.Errorf("%q: the error does not name it: %v", s, err)
		}
	}
}

func FuzzParseRate(f *testing.F) {
	f.Add("5k/10s")
	f.Fuzz(func(t *testing.T, s string) {
		if r, err := ParseRate(s); err == nil && !(r > 0 && r <= 1e9) {
			t.Errorf("%q is %v", s, r)
		}
	})
}

func TestParseRates(t *testing.T) {
	for s, want := range map[string]string{
		"1000,2k,5/10s": "[1000 2000 0.5]", "1000..5000/5": "[1000 2000 3000 4000 5000]", "10..1/2": "[10 1]", "1..2/4": "[1 1.33 1.67 2]",
	} {
		if got, err := ParseRates(s); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v; want %s", s, got, err, want)
		}
	}
	for _, s := range []string{"", "1,", "x", "1..2", "1..2/1", "1..2/x", "1..1/5", "..2/3", "1..2/100000"} {
		if got, err := ParseRates(s); err == nil {
			t.Errorf("%q: %v", s, got)
		}
	}
}
