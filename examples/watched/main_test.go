package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"
)

// TestRun: the nine calls are those of the article, in its order, and the mass is made.
func TestRun(t *testing.T) {
	var slept []time.Duration
	d := &Demo{func(d time.Duration) { slept = append(slept, d/time.Millisecond) }}
	for _, c := range []struct {
		mass int
		want string
	}{
		{0, `^nine calls: \d+\.\d ms\n$`},
		{1000, `^nine calls: \d+\.\d ms\n1000 calls of nothing: \d\.\d{3} s, \d+\.\d\d ns each\n$`},
	} {
		slept = nil
		var out bytes.Buffer
		if err := run(&out, d, c.mass); err != nil {
			t.Fatal(err)
		}
		if want := []time.Duration{100, 1, 100, 500, 1, 100, 1, 50, 50}; !slices.Equal(slept, want) {
			t.Errorf("slept %d ms, want %d", slept, want)
		}
		if !regexp.MustCompile(c.want).MatchString(out.String()) {
			t.Errorf("mass %d: printed %q, want %s", c.mass, &out, c.want)
		}
	}
	if err := run(&bytes.Buffer{}, d, -1); fmt.Sprint(err) != "--mass -1: want 0 or more" {
		t.Errorf("mass -1: %v", err)
	}
}
