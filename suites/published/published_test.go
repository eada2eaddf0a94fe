package published

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

func TestSignificant(t *testing.T) {
	for x, want := range map[float64]string{
		5.126: "5.13", 199.7: "200", 48812: "48812", 0.0123: "0.012", 0: "0.00", 10: "10.0", -1.5: "-1.50", math.NaN(): "–",
	} {
		if got := Digits(3).Significant(x); got != want {
			t.Errorf("%g: %q, want %q", x, got, want)
		}
	}
	if got := Digits(4).Significant(0.0123); got != "0.0123" {
		t.Errorf("with four digits: %q", got)
	}
}

func TestFull(t *testing.T) {
	for _, c := range []struct {
		f    stat.Interval
		want string
	}{
		{stat.Interval{Median: 1.2345e6, Lo: 1e6, Hi: 2e6}, "1.23 (1.00 … 2.00)"},
		{stat.Interval{Median: 12e6, Lo: 12e6, Hi: 12e6}, "12.0"},
		{stat.Interval{Median: 1234e6, Lo: math.Inf(-1), Hi: math.Inf(1)}, "1234 (± ?)"},
		{stat.Interval{Median: math.NaN()}, "–"},
		{stat.Interval{}, "0.00"},
	} {
		if got := Digits(3).Full(c.f, 1e6); got != c.want {
			t.Errorf("%+v: %s, want %s", c.f, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 999: "999", 1000: "1 000", 1200000: "1 200 000", math.NaN(): "–"} {
		if got := Count(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

func TestClean(t *testing.T) {
	var in, out bytes.Buffer
	w := record.NewWriter(&in)
	for _, l := range []record.Line{
		&record.Run{Tare: "v0.0.1", Dir: "/home/somebody/secret", Command: []string{"/home/somebody/tare", "bench", "-o", "/home/somebody/x.jsonl", "--resume", "/home/somebody/y.jsonl", "."}},
		&record.Bin{ID: 1, Pkg: "p", Dir: "/home/somebody/secret"},
	} {
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := Clean(&out, &in, "in"); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Contains(text, "home") || !strings.Contains(text, `"x.jsonl"`) || !strings.Contains(text, `"y.jsonl"`) {
		t.Errorf("cleaned: %s", text)
	}
}
