package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/units"
)

func TestSizesOf(t *testing.T) {
	for name, want := range map[string]string{
		"Sort":                 "",
		"Sort/1000":            "",
		"n=3":                  "", // the function's name is no parameter
		"Sort/n=10":            "Sort/n=* n 10 10",
		"Sort/N=1k/kind=x":     "Sort/N=*/kind=x N 1k 1000",
		"Sort/kind=x/Size=4Ki": "Sort/kind=x/Size=* Size 4Ki 4096",
		"Sort/n=2/size=3/x":    "Sort/n=*/size=3/x n 2 2, Sort/n=2/size=*/x size 3 3",
		"Sort/n=small/ns=3":    "",
		"Sort/sizes=3/nn=1":    "",
		"Sort/size=1k#01":      "",
		"Sort/n=1=2":           "",
	} {
		var got []string
		for _, c := range NewBuilder().sizesOf(&Benchmark{Name: name}) {
			got = append(got, fmt.Sprint(c.Name, " ", c.Param, " ", c.Points[0].Value, " ", c.Points[0].N))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// sizedCases are cases of so many forks whose ns/op follow f, a few percent
// around it, always the same.
func sizedCases(name string, forks int, values []string, f func(n float64) float64) string {
	return sizedFrom(1, name, "", forks, values, f)
}

func sizedFrom(first int, name, role string, forks int, values []string, f func(n float64) float64) string {
	var b strings.Builder
	for i, v := range values {
		id := first + i
		fmt.Fprintf(&b, "case %d %s\n", id, strings.ReplaceAll(name, "*", v))
		n, ok := units.ParseSize(v)
		if !ok {
			panic(v)
		}
		for k := range forks {
			luck := 1 + 0.02*math.Sin(float64(7*id+3*k))
			fork := 1000*id + k + 1
			fmt.Fprintf(&b, "s %d m %v B/op=%v allocs/op=0 MB/s=5 %s\nfork %d case=%d ok\n", fork, luck*f(n), 16*n, role, fork, id)
		}
	}
	return b.String()
}

var decades = []string{"10", "100", "1k", "1e4", "100_000", "1M"}

func showComplexity(c Complexity) string {
	s := fmt.Sprintf("%s %s", c.Name, c.Unit)
	if c.Role != "" {
		s += " " + c.Role
	}
	if c.CurveFit != nil {
		s += fmt.Sprintf(": %s%s %.1f", c.Curve, c.Nearest, c.Coefficient)
	}
	if c.Why != "" {
		s += " " + c.Why
	}
	return fmt.Sprintf("%s, %d points", s, len(c.Points))
}

func TestComplexity(t *testing.T) {
	linear := func(n float64) float64 { return 100 + 2*n }
	sorting := func(n float64) float64 { return 2.4 * n * math.Log2(n) }
	for _, c := range []struct {
		name, lines string
		want        []string
	}{
		{"two units", sizedCases("Sort/n=*", 8, decades, sorting), []string{"Sort/n=* ns/op: n log n 2.4, 6 points", "Sort/n=* B/op: n 16.0, 6 points"}},
		{"in any order, with others between", sizedCases("Sum/Size=*/x", 8, []string{"1M", "10", "1e4", "100", "100_000", "1k"}, linear) + "case 9 Other\ns 9 m 3\nfork 9 case=9 ok\n",
			[]string{"Sum/Size=*/x ns/op: n 2.0, 6 points", "Sum/Size=*/x B/op: n 16.0, 6 points"}},
		{"another parameter differs", sizedCases("Sum/n=*/kind=a", 6, decades[:3], linear) + sizedFrom(10, "Sum/n=*/kind=b", "", 6, decades[3:], linear),
			[]string{"Sum/n=*/kind=a ns/op few-sizes, 3 points", "Sum/n=*/kind=a B/op few-sizes, 3 points", "Sum/n=*/kind=b ns/op few-sizes, 3 points", "Sum/n=*/kind=b B/op few-sizes, 3 points"}},
		{"one size", sizedCases("Sum/n=*", 6, decades[:1], linear), nil},
		{"one size twice", sizedCases("Sum/n=*", 6, []string{"1k", "1000"}, linear), nil},
		{"narrow", sizedCases("Sum/n=*", 6, []string{"1k", "2k", "3k", "4k"}, linear), []string{"Sum/n=* ns/op narrow-sizes, 4 points", "Sum/n=* B/op narrow-sizes, 4 points"}},
		{"no curve", sizedCases("Odd/n=*", 6, decades, func(n float64) float64 { return math.Pow(n, 1.5) }), []string{"Odd/n=* ns/op: n log n 5.9 no-curve, 6 points", "Odd/n=* B/op: n 16.0, 6 points"}},
		{"roles", sizedFrom(1, "Queue/n=*", "role=producer", 6, decades, linear), []string{"Queue/n=* ns/op producer: n 2.0, 6 points", "Queue/n=* B/op producer: n 16.0, 6 points"}},
		{"no number", strings.ReplaceAll(sizedCases("Sum/n=*", 6, decades, linear), "/n=1M", "/n=big"), []string{"Sum/n=* ns/op: n 2.0, 5 points", "Sum/n=* B/op: n 16.0, 5 points"}},
		{"a rate", strings.ReplaceAll(sizedCases("Sum/n=*", 6, decades, linear), " m ", " m op/s="), nil},
		{"the main unit is zero", sizedCases("Sum/n=*", 6, decades, func(float64) float64 { return 0 }), []string{"Sum/n=* ns/op not-positive, 6 points", "Sum/n=* B/op: n 16.0, 6 points"}},
	} {
		words := c.lines
		if c.name == "a rate" { // without anything else
			words = strings.NewReplacer("B/op=", "x-B=", "allocs/op=0", "").Replace(words)
		}
		var got []string
		for _, x := range read(t, words).Complexity {
			got = append(got, showComplexity(x))
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
	}
}

// Results that failed are no points, and sides and GOMAXPROCS do not mix.
func TestComplexityGroups(t *testing.T) {
	linear := func(n float64) float64 { return 2 * n }
	words := sizedCases("Sum/n=*", 6, decades, linear) + "case 20 Sum/n=1e7\nfork 20 case=20 failed\n" +
		strings.ReplaceAll(sizedFrom(30, "Sum/n=*", "", 6, decades, func(n float64) float64 { return n * n }), "/n=10\n", "/n=10 procs=4\n")
	b := NewBuilder()
	s := read(t, words)
	if len(s.Complexity) != 2 || len(s.Complexity[0].Points) != 11 {
		t.Fatalf("%+v", s.Complexity)
	}
	for i, f := range []func(n float64) float64{linear, func(n float64) float64 { return 3 * n * n }} {
		one := NewBuilder()
		must(t, one.ReadAll(strings.NewReader(lines(t, sizedCases("Sum/n=*", 6, decades, f))), "test"))
		must(t, b.Absorb(one, []string{"old", "new"}[i]))
	}
	var got []string
	for _, c := range b.Result().Complexity {
		got = append(got, c.Side+" "+showComplexity(c))
	}
	want := []string{
		"old Sum/n=* ns/op: n 2.0, 6 points", "old Sum/n=* B/op: n 16.0, 6 points",
		"new Sum/n=* ns/op: n^2 3.0, 6 points", "new Sum/n=* B/op: n 16.0, 6 points",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

// What scripts read.
func TestComplexityJSON(t *testing.T) {
	words := "run confidence=0.9\n" + sizedCases("Sum/n=*", 6, []string{"10", "100", "1k", "10k"}, func(n float64) float64 { return 50 + n })
	s := read(t, strings.ReplaceAll(words, " B/op=", " x-B="))
	text, err := json.Marshal(s.Complexity)
	must(t, err)
	var back []json.RawMessage
	must(t, json.Unmarshal(text, &back))
	const want = "pkg name procs param unit main curve coefficient lo hi confidence fixed rms resamples share points"
	if got := strings.Join(keysOf(t, back[0]), " "); got != want || len(back) != 1 {
		t.Errorf("keys %s of %s", got, text)
	}
	if !strings.Contains(string(text), `"points":[{"n":10,"value":"10","median":`) || !strings.Contains(string(text), `"confidence":0.9,`) {
		t.Errorf("%s", text)
	}
	again, err := json.Marshal(read(t, strings.ReplaceAll(words, " B/op=", " x-B=")).Complexity)
	must(t, err)
	if string(again) != string(text) {
		t.Errorf("%s, then %s", text, again)
	}
}

// keysOf are the keys of an object in their order.
func keysOf(t *testing.T, object []byte) (keys []string) {
	d := json.NewDecoder(bytes.NewReader(object))
	_, err := d.Token()
	must(t, err)
	for d.More() {
		key, err := d.Token()
		must(t, err)
		var value json.RawMessage
		must(t, d.Decode(&value))
		keys = append(keys, key.(string))
	}
	return keys
}
