package result

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// Latency is the distribution of one kind of latency of one benchmark or
// operation, over all measured windows of the forks that count. It has no
// interval: the percentiles of each fork are metrics of its result, and those
// have.
type Latency struct {
	Pkg  string `json:"pkg,omitempty"`
	Name string `json:"name"` // benchmark, or operation of a load run: READ
	Side string `json:"side,omitempty"`
	Role string `json:"role,omitempty"`
	Kind string `json:"kind"` // record.TagResponse …
	hist.Percentiles
	Unit string `json:"unit"` // of all but Count: "ns"

	hist *hist.Histogram // of a load run: the distribution itself
}

// latencyKey tells the histograms of a case apart.
type latencyKey struct{ role, tag, unit string }

// CodeHist says that a histogram in the record could not be read.
const CodeHist = "damaged-hist"

// addHist keeps a histogram until its fork has ended, because only forks that
// end well count.
func (b *Builder) addHist(l *record.Hist) {
	if l.Fork == 0 {
		b.load.addHist(l)
		return
	}
	b.hists[l.Fork] = append(b.hists[l.Fork], l)
}

// count adds the histograms of a timed fork to those of its case. Those of warm-up do not count.
func (b *Builder) count(c *caseData, hs []*record.Hist) {
	warmup := 0
	if b.run != nil && !c.line.SingleShot {
		warmup = b.run.Config.Warmup
	}
	for _, l := range hs {
		if l.Iter <= warmup {
			continue
		}
		h, err := hist.Decode(l.Data)
		if err == nil {
			err = c.latency(latencyKey{l.Role, l.Tag, l.Unit}).Merge(h)
		}
		if err != nil {
			c.badHists++
			c.whyHist = err.Error()
		}
	}
}

func (c *caseData) latency(k latencyKey) *hist.Histogram {
	h := c.latencies[k]
	if h == nil {
		h = new(hist.Histogram)
		if c.latencies == nil {
			c.latencies = map[latencyKey]*hist.Histogram{}
		}
		c.latencies[k] = h
	}
	return h
}

// damagedHists is the doubt about histograms that could not be read.
func (c *caseData) damagedHists() *doubt {
	if c.badHists == 0 {
		return nil
	}
	return &doubt{Warn: record.Warn{
		Code:   CodeHist,
		Text:   fmt.Sprintf("%d histograms could not be read and are missing from its latencies: %s", c.badHists, c.whyHist),
		Advice: "the record is damaged, or another program wrote it; measure again",
	}}
}

// latencyRows are the latencies of all cases, in their order.
func (b *Builder) latencyRows() []Latency {
	var out []Latency
	for _, c := range b.cases {
		keys := make([]latencyKey, 0, len(c.latencies))
		for k := range c.latencies {
			keys = append(keys, k)
		}
		order := c.roles()
		sort.Slice(keys, func(i, j int) bool {
			x, y := keys[i], keys[j]
			return cmp.Or(
				slices.Index(order, x.role)-slices.Index(order, y.role), cmp.Compare(x.role, y.role),
				tagRank(x.tag)-tagRank(y.tag), cmp.Compare(x.tag, y.tag), cmp.Compare(x.unit, y.unit)) < 0
		})
		for _, k := range keys {
			out = append(out, Latency{
				Pkg: c.line.Pkg, Name: c.line.Name, Side: c.line.Side, Role: k.role, Kind: k.tag,
				Percentiles: c.latencies[k].Percentiles(), Unit: k.unit,
			})
		}
	}
	return out
}

// tagRank puts first what a client feels.
func tagRank(tag string) int {
	switch tag {
	case record.TagResponse:
		return 0
	case record.TagService:
		return 1
	}
	return 2
}
