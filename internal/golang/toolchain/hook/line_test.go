package hook

import (
	"encoding/json"
	"math"
	"testing"
)

// FuzzLine holds what is written by hand against package json.
func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "ns/op", `"\`, "\x00\x1f\x7f", "ß…\U0001F600", "\xff\xc3", "\u2028<&>"} {
		f.Add(s, s+"x", int64(math.MinInt64), 1.5)
	}
	for _, x := range []float64{0, math.Copysign(0, -1), math.SmallestNonzeroFloat64, math.MaxFloat64, 1e21, 1e-7, 1.0 / 3} {
		f.Add("x/op", "y/op", int64(math.MaxInt64), x)
	}
	f.Fuzz(func(t *testing.T, key, text string, n int64, x float64) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Skip("no JSON number")
		}
		var l tareLine
		l.start("kind")
		l.text("text", text)
		l.int("n", n)
		l.object("v")
		l.float(key, x)
		l.float("last", x)
		l.close()
		l.bytes("raw", []byte(text))
		l.text("end", key)
		l.end()
		var got struct {
			K, Text, End string
			N            int64
			V            map[string]float64
			Raw          []byte
		}
		if err := json.Unmarshal(l, &got); err != nil || l[len(l)-1] != '\n' {
			t.Fatalf("%q: %v", l, err)
		}
		if got.K != "kind" || got.Text != asJSON(text) || got.End != asJSON(key) || got.N != n {
			t.Errorf("%q: %+v", l, got)
		}
		if string(got.Raw) != text {
			t.Errorf("%q: bytes %q, want %q", l, got.Raw, text)
		}
		if v := got.V[asJSON(key)]; v != x && key != "last" {
			t.Errorf("%q: %v, want %v", l, v, x)
		}
	})
}

// asJSON is what package json makes of a string: no UTF-8 becomes U+FFFD.
func asJSON(s string) (out string) {
	text, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}

func TestLineNoNumbers(t *testing.T) {
	var l tareLine
	l.start("k")
	l.float("a", math.NaN())
	l.float("b", math.Inf(1))
	l.float("c", math.Inf(-1))
	l.end()
	if want := `{"k":"k","a":"NaN","b":"+Inf","c":"-Inf"}` + "\n"; string(l) != want {
		t.Errorf("%s", l)
	}
}

// TestLineAllocations: a buffer that has grown once is enough.
func TestLineAllocations(t *testing.T) {
	var l tareLine
	write := func() {
		l = l[:0]
		l.start("sample")
		l.text("name", "Sort/n=1…\x01")
		l.int("n", 1<<40)
		l.object("v")
		l.float("ns/op", 1.0/3)
		l.close()
		l.end()
	}
	write()
	if n := testing.AllocsPerRun(100, write); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
