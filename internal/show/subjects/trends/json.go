package trends

import (
	"io"
	"math"
	"time"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/stat"
)

// object is what --format json prints.
type object struct {
	Machine   string   `json:"machine"`
	Described string   `json:"machine_is,omitempty"`
	Toolchain string   `json:"toolchain"`
	Settings  string   `json:"settings,omitempty"`
	Commits   []commit `json:"commits"` // measured ones, the oldest first
	Of        int      `json:"of"`      // commits of the branch
	Series    []series `json:"series"`
	Common    *series  `json:"common,omitempty"` // what all benchmarks share, as a factor
	Others    []any    `json:"others,omitempty"` // machines and toolchains that are not compared
	Elsewhere []string `json:"elsewhere,omitempty"`
	Dirty     int      `json:"dirty,omitempty"`
}

type commit struct {
	Commit  string    `json:"commit"`
	Date    time.Time `json:"date"`
	Subject string    `json:"subject"`
}

type series struct {
	history.Key
	Unit     string    `json:"unit,omitempty"`
	Main     bool      `json:"main,omitempty"`
	Better   string    `json:"better,omitempty"`
	Points   []point   `json:"points"`
	Suspects []suspect `json:"suspects,omitempty"`
}

// point is a commit that has values, or a reason why it has none.
type point struct {
	At     int         `json:"at"` // index in commits
	Forks  int         `json:"forks,omitempty"`
	Median stat.Number `json:"median"`
	Lo     stat.Number `json:"lo"`
	Hi     stat.Number `json:"hi"`
	Gap    string      `json:"gap,omitempty"`
}

type suspect struct {
	At      int              `json:"at"`
	Commit  string           `json:"commit"`
	Subject string           `json:"subject"`
	Before  string           `json:"before"` // the commit measured before
	Ratio   stat.Number      `json:"ratio"`
	Lo      stat.Number      `json:"lo"`
	Hi      stat.Number      `json:"hi"`
	Z       stat.Number      `json:"z"`
	Fresh   bool             `json:"fresh,omitempty"`
	Worse   bool             `json:"worse,omitempty"`
	State   string           `json:"state"`
	Verdict *history.Verdict `json:"verdict,omitempty"`
}

func writeJSON(w io.Writer, t *trend.Trends) error {
	out := object{Machine: t.Machine, Described: t.Described, Toolchain: t.Toolchain, Settings: t.Settings, Of: t.Line, Elsewhere: t.Elsewhere, Dirty: t.Dirty, Series: []series{}}
	for _, c := range t.Points {
		out.Commits = append(out.Commits, commit{c.Hash, c.Time, c.Subject})
	}
	for _, r := range t.Rows {
		out.Series = append(out.Series, seriesOf(t, r))
	}
	if t.Common != nil {
		s := seriesOf(t, t.Common)
		out.Common = &s
	}
	for _, g := range t.Others {
		out.Others = append(out.Others, g)
	}
	return termtext.NewJSON(w, "  ").Encode(out)
}

func seriesOf(t *trend.Trends, r *trend.Row) series {
	s := series{Key: r.Key, Unit: r.Unit, Main: r.Main, Better: r.Better, Points: []point{}}
	for i, xs := range r.Values {
		switch {
		case len(xs) > 0:
			lo, hi := bounds(xs)
			s.Points = append(s.Points, point{At: i, Forks: len(xs), Median: stat.Number(r.Medians[i]), Lo: stat.Number(lo), Hi: stat.Number(hi)})
		case i < len(r.Gaps) && r.Gaps[i] != "":
			nan := stat.Number(math.NaN())
			s.Points = append(s.Points, point{At: i, Median: nan, Lo: nan, Hi: nan, Gap: r.Gaps[i]})
		}
	}
	for _, x := range r.Suspects {
		c := t.Points[x.At]
		s.Suspects = append(s.Suspects, suspect{
			At: x.At, Commit: c.Hash, Subject: c.Subject, Before: t.Points[before(r, x.At)].Hash, Ratio: stat.Number(x.Ratio), Lo: stat.Number(x.Lo), Hi: stat.Number(x.Hi),
			Z: stat.Number(x.Z), Fresh: x.Fresh, Worse: r.Worse(x), State: x.State, Verdict: x.Verdict,
		})
	}
	return s
}

// bounds returns the 95 % interval of the median; infinite bounds where there are too few values.
func bounds(xs []float64) (lo, hi float64) {
	const confidence = 0.95
	iv := stat.MedianInterval(xs, confidence)
	return iv.Lo, iv.Hi
}
