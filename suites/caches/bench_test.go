package caches_test

import (
	"testing"

	"github.com/tarebench/tare/bench"
	"github.com/tarebench/tare/suites/caches"
)

// held is the subject that was measured last. It is reachable while and after it is
// weighed, and until the next one is filled.
var held struct {
	name    string
	subject *caches.Subject
}

type params struct {
	Entries, Keys, Workers int
	Cache                  string
}

func BenchmarkReadThrough(b *testing.B) {
	cfg, err := caches.FromEnv()
	if err != nil {
		b.Fatal(err)
	}
	kinds := map[string]caches.Kind{}
	var names []any
	for _, k := range caches.All() {
		kinds[k.Name] = k
		names = append(names, k.Name)
	}
	bench.Params(b, nil, func(b *testing.B, p params) {
		readThrough(b, kinds[p.Cache], cfg)
	}, bench.P("entries", cfg.Entries), bench.P("keys", cfg.Keys), bench.P("workers", cfg.Workers), bench.P("cache", names...))
}

type equalParams struct {
	Budget        string
	Keys, Workers int
	Cache         string
}

// BenchmarkEqualMemory is ReadThrough with the number of entries that fits one budget of memory, for each cache. Its
// process reports the peak of its resident memory.
func BenchmarkEqualMemory(b *testing.B) {
	e, err := caches.EqualFromEnv()
	if err != nil {
		b.Skip(err)
	}
	cfg, err := caches.FromEnv()
	if err != nil {
		b.Fatal(err)
	}
	kinds := map[string]caches.Kind{}
	var names []any
	for _, k := range caches.Bounded() {
		if e.Entries[k.Name] > 0 {
			kinds[k.Name] = k
			names = append(names, k.Name)
		}
	}
	bench.Params(b, nil, func(b *testing.B, p equalParams) {
		cfg := cfg
		cfg.Entries = e.Entries[p.Cache]
		readThrough(b, kinds[p.Cache], cfg)
		b.ReportMetric(float64(cfg.Entries), "capacity")
		if peak, ok := caches.PeakRSS(); ok {
			b.ReportMetric(float64(peak), caches.PeakUnit)
		}
	}, bench.P("budget", caches.BudgetText(e.Budget)), bench.P("keys", cfg.Keys), bench.P("workers", cfg.Workers), bench.P("cache", names...))
}

func readThrough(b *testing.B, k caches.Kind, cfg caches.Config) {
	s := hold(b, k, cfg)
	loads, gets := s.Source.Loads(), s.Gets()
	bench.Group(b, bench.Role{Workers: cfg.Workers, Body: func(w *bench.Worker) {
		s.Run(w)
	}})
	loads, gets = s.Source.Loads()-loads, s.Gets()-gets
	b.ReportMetric(100*(1-float64(loads)/float64(max(gets, 1))), "hit-%")
	b.ReportMetric(float64(s.Entries()), "entries")
	b.ReportMetric(s.MissNs, "miss-ns")
}

// hold returns the subject, which is filled once in a process. It is not a
// bench.Trial, whose value is dropped when the last window ends and is then not
// there to be weighed.
func hold(b *testing.B, k caches.Kind, cfg caches.Config) *caches.Subject {
	if held.subject != nil && held.name == b.Name() {
		return held.subject
	}
	if held.subject != nil {
		held.subject.Close()
		held.subject = nil
	}
	s, err := caches.NewSubject(k, cfg)
	if err != nil {
		b.Fatal(err)
	}
	held.name, held.subject = b.Name(), s
	return s
}
