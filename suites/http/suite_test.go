package main

import (
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestGenerators has each send some requests, all of which must be answered.
func TestGenerators(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("hello")) }))
	defer s.Close()
	c := &config{url: s.URL, rate: 200, duration: 500 * time.Millisecond}
	for _, g := range append(generators(), vegetas()...) {
		r, err := g.run(c)
		if err != nil || r.Failed > 0 || r.Completed < 90 || r.Completed > 102 || r.CPU <= 0 || r.Rate <= 0 || r.Late99 < r.Late50 {
			t.Errorf("%s: %+v, error %v", g.name, r, err)
		}
	}
}

func TestBehind(t *testing.T) {
	start := time.Now()
	var sent []time.Time
	for i := range 1000 {
		late := time.Duration(i%2) * 10 * time.Microsecond
		if i >= 985 {
			late = time.Millisecond
		}
		sent = append(sent, start.Add(time.Duration(i)*time.Millisecond+late))
	}
	got := behind(sent, 1000)
	if math.Abs(got[0]-10) > 0.1 || math.Abs(got[1]-1000) > 0.1 {
		t.Errorf("late by %.1f µs at the median, %.1f at the 99th percentile; want 10 and 1000", got[0], got[1])
	}
}

func TestTable(t *testing.T) {
	c := &config{rate: 10_000, duration: 10 * time.Second, rounds: 6, seed: 1}
	all := []generator{{name: "tare, sleep"}, {name: reference}}
	results := map[string][]result{}
	for i := range 6 {
		x := 1 + float64(i)/10
		results["tare, sleep"] = append(results["tare, sleep"], result{Completed: 1, Rate: 9999, CPU: 20 * x, Late50: 50, Late99: 400})
		results[reference] = append(results[reference], result{Completed: 1, Failed: 1, Rate: 9000, CPU: 50 * x, Late50: 100, Late99: 4000})
	}
	got := c.table(all, results)
	for _, want := range []string{
		"10000/s for 10s, 6 rounds in random order, seed 1",
		"| tare, sleep | 25.0 | 0.40 | 0.40 to 0.40 | 9999 | 50 | 400 | 0 |\n",
		"| vegeta | 62.5 | 1.00 | 1.00 to 1.00 | 9000 | 100 | 4000 | 6 |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for name := range results {
		results[name] = results[name][:5]
	}
	if got := c.table(all, results); strings.Count(got, "| too few rounds |") != 2 {
		t.Errorf("an interval of five rounds:\n%s", got)
	}
}
