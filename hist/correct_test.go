package hist_test

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/tarebench/tare/hist"
)

// TestCorrectAsJava compares with what Java's copyCorrectedForCoordinatedOmission
// made of the same values; see testdata/README.md.
func TestCorrectAsJava(t *testing.T) {
	h := of(1_000_000, 1_000_000, 1_000_000, 2_500_123, 99, 123_456_789, 123_456_789, 10_000_000_000)
	f, err := os.Open("testdata/corrected.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); lines++ {
		var interval int64
		if _, err := fmt.Sscan(s.Text(), &interval); err != nil {
			t.Fatal(err)
		}
		c, err := h.Correct(interval)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(interval, c.Count())
		for _, p := range javaPercentiles {
			got += fmt.Sprint(" ", c.ValueAtPercentile(p))
		}
		if got != s.Text() {
			t.Errorf("got  %s\nwant %s", got, s.Text())
		}
	}
	if lines != 5 {
		t.Errorf("%d lines of expected values, want 5", lines)
	}
	if h.Count() != 8 {
		t.Errorf("the original has %d values now, want 8", h.Count())
	}
}

// TestCorrectStepByStep compares with the definition, value by value.
func TestCorrectStepByStep(t *testing.T) {
	r := random(t)
	for range 50 {
		c := hist.Config{Digits: 1 + r.IntN(3), Lowest: 1 + r.Int64N(200)}
		h, interval := hist.New(c), 1+r.Int64N(2000)>>r.IntN(11)
		for range 20 {
			h.RecordN(r.Int64N(100_000), 1+r.Int64N(3))
		}
		want := h.Copy()
		for b, n := range h.Buckets() {
			for v := b.Highest - interval; v >= interval; v -= interval {
				want.RecordN(v, n)
			}
		}
		got, err := h.Correct(interval)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Equal(want) {
			t.Fatalf("%+v by %d: %d values, want %d", c, interval, got.Count(), want.Count())
		}
	}
}

func TestCorrectErrors(t *testing.T) {
	huge := new(hist.Histogram)
	huge.RecordN(math.MaxInt64, 1<<40)
	for _, c := range []struct {
		h        *hist.Histogram
		interval int64
		want     string
	}{
		{of(1), 0, "expected interval 0 is not positive"},
		{of(1), math.MinInt64, "is not positive"},
		{huge, 1, "hist: correct by 1: the sum of the counts exceeds 2^63-1"},
		{of(math.MaxInt64), 1, ""}, // 2^63-1 values in all, no more
	} {
		switch got, err := c.h.Correct(c.interval); {
		case c.want == "" && (err != nil || got.Count() != math.MaxInt64):
			t.Errorf("%v, %v", got.Count(), err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
