package bench

import (
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// The lines of the pipe that package record has no types for.
type (
	helloLine struct {
		K    string `json:"k"`
		V    int    `json:"v"`
		From string `json:"from"`
	}

	// announceLine is said once per benchmark, before its first window.
	announceLine struct {
		K     string                 `json:"k"`
		Name  string                 `json:"name"`
		Mode  string                 `json:"mode"`
		Shot  bool                   `json:"shot"`
		Roles []string               `json:"roles,omitempty"`
		Units map[string]record.Unit `json:"units,omitempty"`
		Seed  record.Seed            `json:"seed"`
	}

	// markLine is an end of a window, for those who look from outside.
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

// announce tells, once, what benchmark will be measured.
func (s *subject) announce(c *config, seed record.Seed) {
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
	p := this.speaker()
	p.raw(a)
	p.flush()
}

// tell sends the lines of one window.
func (r *result) tell(p *speaker, s *subject, phase string, iter int) {
	if !p.listened() {
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

func (r *result) sample(p *speaker, x *score, phase string, iter int) {
	p.say(&record.Sample{
		Iter: iter, Phase: phase, Role: x.role, T: x.to, Ns: x.ns, Ops: x.ops, V: x.vs,
	})
	if x.tracks == nil {
		return
	}
	for _, t := range []struct {
		tag   string
		track *track
	}{
		{record.TagResponse, &x.tracks.response},
		{record.TagService, &x.tracks.service},
		{record.TagLateness, &x.tracks.lateness},
	} {
		if t.track.hist.Count() > 0 {
			p.say(histLine(t.track.hist, x, t.tag, iter))
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
