package bench

import (
	"math"
	"slices"

	"github.com/tarebench/tare/record"
)

// A score is what the workers of one role did in one window, or those of all.
type score struct {
	role     string
	from, to int64 // of their windows together, ns
	ns       int64 // of one worker's window, on average
	ops      int64
	rate     float64 // operations per second of all of them
	each     float64 // ns per operation of one of them
	perNext  float64 // operations per Next
	floor    float64 // ns per operation of one of them with an empty body; 0: not measured
	counts   []count
	tracks   *tracks // nil: no latencies
	vs       record.Values
}

// count is what a Counter came to, per operation.
type count struct {
	unit  string
	n     int64
	perOp float64
}

// scoreOf adds up the ledgers of some workers.
func scoreOf(role string, workers []*Worker) score {
	s := score{role: role, from: math.MaxInt64}
	var busy, nexts float64
	for _, w := range workers {
		ops, ns := w.own.ops()*w.per, w.own.ns()
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
		s.each = busy / float64(s.ops)
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

// listen merges the latencies of some workers into the score.
func (s *score) listen(workers []*Worker) {
	s.tracks = newTracks()
	for _, w := range workers {
		s.tracks.merge(w.tracks)
	}
}

// values are the figures of a score, with their units.
func (s *score) values(c *config) record.Values {
	var vs record.Values
	add := func(unit string, v float64) { vs = append(vs, record.Value{Unit: unit, Value: v}) }
	switch {
	case c.mode == throughput:
		add("op/s", s.rate)
	case s.ops == 0: // no time is the time of none
	case c.mode == average:
		add("ns/op", s.each)
	case s.tracks != nil:
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
	if s.tracks != nil {
		s.latencies(c, add)
	}
	return vs
}

// main is the latency that the benchmark is about.
func (s *score) main(c *config) *track {
	if c.call == callRate {
		return &s.tracks.response
	}
	return &s.tracks.service
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
	if p := s.tracks.service.hist.Percentiles(); p.Count > 0 {
		add("service-ns/op", s.tracks.service.mean()/max(s.perNext, 1))
		add("service-p99-ns", float64(p.P99))
	}
	if p := s.tracks.lateness.hist.Percentiles(); p.Count > 0 {
		add("lateness-p50-ns", float64(p.P50))
		add("lateness-p99-ns", float64(p.P99))
	}
}
