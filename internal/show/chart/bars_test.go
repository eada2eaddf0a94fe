package chart

import (
	"errors"
	"io"
	"math"
	"testing"
)

var inf = math.Inf(1)

func barCases() map[string]Bars {
	bars := []Bar{
		{Label: "alpha", Value: 1.25e6, Lo: 1.1e6, Hi: 1.4e6},
		{Label: "a longer label", Value: 2.2e6, Lo: 2.2e6, Hi: 2.2e6},
		{Label: "no interval", Value: 0.4e6, Lo: -inf, Hi: inf},
		{Label: "no value", Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()},
		{Label: "floor", Value: 0.05e6, Lo: -0.1e6, Hi: 0.2e6, Muted: true},
	}
	return map[string]Bars{
		"lying":   {Title: "Throughput", Subtitle: "99.9 % intervals over 12 forks", Unit: "op/s", Bars: bars, Notes: []string{"a note", "another"}},
		"plain":   {Title: "Hit rate", Unit: "%", Plain: true, Bars: []Bar{{Label: "one", Value: 77.25, Lo: 77, Hi: 78}, {Label: "zero"}}},
		"hostile": {Title: `<script>alert("1")</script>`, Subtitle: "a\x00b\xffc & d", Unit: "</svg>", Bars: []Bar{{Label: `"><x y='`, Value: 3, Lo: 2, Hi: 1}}},
		"groups": {Title: "Live heap", Unit: "B", Live: true, Bars: []Bar{
			{Label: "lru", Group: "size=10k", Value: 1.76e6, Lo: 1.7e6, Hi: 1.8e6}, {Label: "map", Group: "size=10k", Value: 0.96e6, Lo: inf, Hi: -inf},
			{Label: "lru", Group: "size=<100k>", Value: 17.6e6, Lo: 17e6, Hi: 18e6}, {Label: "alone", Value: math.NaN()},
		}},
		"nothing": {Title: "No values", Unit: "B", Bars: []Bar{{Label: "x", Value: math.NaN()}, {Label: "y", Value: -1}, {Label: "z", Value: inf}}},
	}
}

func TestNoBars(t *testing.T) {
	if err := (Bars{Title: "x"}).Write(io.Discard); !errors.Is(err, errNoBars) {
		t.Errorf("error %v", err)
	}
}

func TestWriteError(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if err := (Bars{Title: "x", Bars: []Bar{{}}}).Write(w); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v, want that of the writer", err)
	}
}
