package bench

import (
	"math"
	"slices"

	"github.com/tarebench/tare/record"
)

// A score sums up the workers of one role, or of all roles, in one window.
type score struct {
	role     string
	from, to int64 // of their windows together, ns
	ns       int64 // mean length of a worker's window
	ops      int64
	rate     float64 // operations per second of all of them
	nsPerOp  float64 // ns per operation of one worker
	perNext  float64 // operations per Next
	floor    float64 // ns per operation of one worker with an empty body; 0: not measured
	counts   []count
	hists    *latencySet // nil: no latencies
	metrics  record.Values
}

// count is the sum of a Counter over workers.
type count struct {
	unit  string
	n     int64
	perOp float64
}

// scoreOf adds up the windows of some workers.
func scoreOf(role string, workers []*Worker) score {
	s := score{role: role, from: math.MaxInt64}
	var busy, nexts float64
	for _, w := range workers {
		ops, ns := w.own.ops()*w.opsPerNext, w.own.ns()
		s.from, s.to = min(s.from, w.own.from), max(s.to, w.own.to)
		s.ops += ops
		busy += float64(ns)
		nexts += float64(w.own.ops())
		if ns > 0 {
			s.rate += float64(ops) / float64(ns) * 1e9
		}
		s.count(w)
	}
	s.ns = int64(math.Round(busy / float64(len(workers))))
	if s.ops > 0 {
		s.nsPerOp = busy / float64(s.ops)
		s.perNext = float64(s.ops) / nexts
	}
	for i := range s.counts {
		if s.ops > 0 {
			s.counts[i].perOp = float64(s.counts[i].n) / float64(s.ops)
		}
	}
	return s
}

func (s *score) count(w *Worker) {
	for _, c := range w.counters {
		i := slices.IndexFunc(s.counts, func(x count) bool { return x.unit == c.unit })
		if i < 0 {
			i = len(s.counts)
			s.counts = append(s.counts, count{unit: c.unit})
		}
		s.counts[i].n += c.got
	}
}

// mergeLatencies adds the latencies of some workers to the score.
func (s *score) mergeLatencies(workers []*Worker) {
	s.hists = newLatencySet()
	for _, w := range workers {
		s.hists.merge(w.hists)
	}
}

// values returns the metrics of a score.
func (s *score) values(c *config) record.Values {
	var metrics record.Values
	add := func(unit string, v float64) { metrics = append(metrics, record.Value{Unit: unit, Value: v}) }
	switch {
	case c.mode == throughput:
		add("op/s", s.rate)
	case s.ops == 0: // without operations there is no time per operation
	case c.mode == average:
		add("ns/op", s.nsPerOp)
	case s.hists != nil:
		add("ns/op", s.main(c).mean()/s.perNext)
	}
	if c.call == callRate {
		add("op/s", s.rate)
	}
	if c.bytes > 0 {
		add("MB/s", s.rate*float64(c.bytes)/1e6)
	}
	for _, x := range s.counts {
		add(x.unit+"/op", x.perOp)
	}
	if s.hists != nil {
		s.latencies(c, add)
	}
	return metrics
}

// main returns the latencies that the benchmark is about.
func (s *score) main(c *config) *latencies {
	if c.call == callRate {
		return &s.hists.response
	}
	return &s.hists.service
}

func (s *score) latencies(c *config, add func(string, float64)) {
	if p := s.main(c).hist.Percentiles(); p.Count > 0 {
		add("p50-ns", float64(p.P50))
		add("p90-ns", float64(p.P90))
		add("p99-ns", float64(p.P99))
		add("p99.9-ns", float64(p.P999))
		add("max-ns", float64(p.Max))
	}
	if c.call != callRate {
		return
	}
	if p := s.hists.service.hist.Percentiles(); p.Count > 0 {
		add("service-ns/op", s.hists.service.mean()/max(s.perNext, 1))
		add("service-p99-ns", float64(p.P99))
	}
	if p := s.hists.lateness.hist.Percentiles(); p.Count > 0 {
		add("lateness-p50-ns", float64(p.P50))
		add("lateness-p99-ns", float64(p.P99))
	}
}
