package bench

import (
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// Lines of the pipe without a type in package record.
type (
	helloLine struct {
		K    string `json:"k"`
		V    int    `json:"v"`
		From string `json:"from"`
	}

	// announceLine is sent once per benchmark, before its first window.
	announceLine struct {
		K     string                 `json:"k"`
		Name  string                 `json:"name"`
		Mode  string                 `json:"mode"`
		Shot  bool                   `json:"shot"`
		Roles []string               `json:"roles,omitempty"`
		Units map[string]record.Unit `json:"units,omitempty"`
		Seed  record.Seed            `json:"seed"`
	}

	// markLine is the beginning or end of a window, for profilers outside the process.
	markLine struct {
		K     string `json:"k"`
		Name  string `json:"name"`
		Iter  int    `json:"iter"`
		Phase string `json:"phase"`
		Ev    string `json:"ev"`
		T     int64  `json:"t"`
		Ops   int64  `json:"ops"`
	}
)

// announce sends the announcement of a benchmark, once.
func (s *benchmark) announce(c *config, seed record.Seed) {
	if s.announced {
		return
	}
	s.announced = true
	a := announceLine{K: "announce", Name: s.name, Mode: record.ModeTime, Shot: c.call == callShot, Seed: seed}
	if a.Shot {
		a.Mode = record.ModeN
	}
	for _, r := range c.roles {
		if r.Name != "" {
			a.Roles = append(a.Roles, r.Name)
		}
	}
	if c.mode == throughput || c.call == callRate {
		a.Units = map[string]record.Unit{"op/s": {Better: record.Higher}}
	}
	p := process.pipeWriter()
	p.raw(a)
	p.flush()
}

// send writes the lines of one window to the pipe.
func (r *result) send(p *pipeWriter, s *benchmark, phase string, iter int) {
	if !p.isOpen() {
		return
	}
	if phase == record.PhaseMeasure {
		mark := markLine{K: "mark", Name: s.name, Iter: iter, Phase: phase, Ev: "begin", T: r.whole.from}
		p.raw(mark)
		mark.Ev, mark.T, mark.Ops = "end", r.whole.to, r.whole.ops
		p.raw(mark)
	}
	for i := range r.roles {
		r.sample(p, &r.roles[i], phase, iter)
	}
	r.sample(p, &r.whole, phase, iter)
}

func (r *result) sample(p *pipeWriter, x *score, phase string, iter int) {
	p.say(&record.Sample{
		Iter: iter, Phase: phase, Role: x.role, T: x.to, Ns: x.ns, Ops: x.ops, V: x.metrics,
	})
	if x.hists == nil {
		return
	}
	for _, t := range []struct {
		tag  string
		hist *latencies
	}{
		{record.TagResponse, &x.hists.response},
		{record.TagService, &x.hists.service},
		{record.TagLateness, &x.hists.lateness},
	} {
		if t.hist.hist.Count() > 0 {
			p.say(histLine(t.hist.hist, x, t.tag, iter))
		}
	}
}

func histLine(h *hist.Histogram, x *score, tag string, iter int) record.Line {
	data, err := h.Encode()
	if err != nil {
		return nil
	}
	return &record.Hist{
		Iter: iter, Role: x.role, Tag: tag, Start: x.from, Length: x.to - x.from, Unit: "ns", Data: data,
	}
}
