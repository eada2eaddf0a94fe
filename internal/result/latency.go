package result

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/numbers/unanswered"
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

	// Of a load run. AtLeast names the figures that are lower bounds, as in "p99": Unanswered
	// more operations never were answered, and count as the time that they had waited.
	Unanswered int64    `json:"unanswered,omitempty"`
	AtLeast    []string `json:"at_least,omitempty"`

	hist  *hist.Histogram   // of a load run: the distribution itself
	means []IntervalMean    // of a load run: the means of its intervals
	waits *unanswered.Waits // nil: all were answered, or it is not known
}

// latencyKey identifies a histogram of a case.
type latencyKey struct{ role, tag, unit string }

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
		c.hists.add(latencyKey{l.Role, l.Tag, l.Unit}, l.Data)
	}
}

// histograms are the sums of histograms of one kind each.
type histograms struct {
	of    map[latencyKey]*hist.Histogram
	roles []string // in the order in which they appeared
	bad   int      // that could not be read
	why   string   // the last of them
}

// add counts an encoded histogram and returns it; nil if it could not be read.
func (hs *histograms) add(k latencyKey, data []byte) *hist.Histogram {
	h, err := hist.Decode(data)
	if err == nil {
		err = hs.sum(k).Merge(h)
	}
	if err != nil {
		hs.bad++
		hs.why = err.Error()
		return nil
	}
	return h
}

// sum returns the histogram of a kind.
func (hs *histograms) sum(k latencyKey) *hist.Histogram {
	if hs.of[k] == nil {
		if hs.of == nil {
			hs.of = map[latencyKey]*hist.Histogram{}
		}
		hs.of[k] = new(hist.Histogram)
		if !slices.Contains(hs.roles, k.role) {
			hs.roles = append(hs.roles, k.role)
		}
	}
	return hs.of[k]
}

// damaged returns the warning about histograms that could not be read, nil if there are none.
func (hs *histograms) damaged(of string) *derivedWarning {
	if hs.bad == 0 {
		return nil
	}
	return &derivedWarning{Warn: *diagnosis.Warn(diagnosis.DamagedHist, diagnosis.Facts{"histograms": hs.bad, "whose": of, "why": hs.why})}
}

// DamagedHistograms says which histograms of the record could not be read; "" if all could.
func (r *Result) DamagedHistograms() string {
	all := slices.Clone(r.Warnings)
	for i := range r.Results {
		all = append(all, r.Results[i].Warnings...)
	}
	if i := slices.IndexFunc(all, func(w Warning) bool { return w.Code == diagnosis.DamagedHist }); i >= 0 {
		return all[i].Text
	}
	return ""
}

// keys returns the kinds of histograms, those of a role together in the given order.
func (hs *histograms) keys(roles []string) []latencyKey {
	all := slices.Collect(maps.Keys(hs.of))
	slices.SortFunc(all, func(x, y latencyKey) int {
		return cmp.Or(
			slices.Index(roles, x.role)-slices.Index(roles, y.role), cmp.Compare(x.role, y.role),
			tagRank(x.tag)-tagRank(y.tag), cmp.Compare(x.tag, y.tag), cmp.Compare(x.unit, y.unit))
	})
	return all
}

// latencyRows returns the latencies of all cases, in their order.
func (b *Builder) latencyRows() []Latency {
	var out []Latency
	for _, c := range b.cases {
		for _, k := range c.hists.keys(c.roles()) {
			out = append(out, Latency{
				Pkg: c.line.Pkg, Name: c.line.Name, Side: c.line.Side, Role: k.role, Kind: k.tag,
				Percentiles: c.hists.of[k].Percentiles(), Unit: k.unit,
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
	case record.TagUnanswered, record.TagUnansweredService:
		return 3
	}
	return 2
}
