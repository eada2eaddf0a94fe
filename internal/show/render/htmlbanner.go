package render

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/internal/show/webpage"
	"github.com/tarebench/tare/record"
)

// banners returns what is said at the top of a page: runs that were not measured alike, and a load generator that was late.
func banners(runs []PageRun) []webpage.Banner {
	p := textpage.New(htmlOptions)
	var out []webpage.Banner
	unlike := webpage.Banner{Text: "not measured alike: no verdict between them is trusted", Advice: "compare like with like, unless this is the question"}
	for i := range runs {
		s := runs[i].Result
		for _, w := range s.Warnings {
			if w.Code == diagnosis.Environment {
				unlike.Items = append(unlike.Items, p.Text(w.Text))
			}
		}
		if b := lateGenerator(p, &runs[i], len(runs) > 1); b != nil {
			out = append(out, *b)
		}
	}
	if shown := measuredRuns(runs); len(shown) > 1 && !runs[0].Compared {
		unlike.Text = "not measured alike: a difference between them may be one of the machine"
		for _, r := range shown[1:] {
			for _, d := range result.Differences(shown[0].Result, r.Result) {
				unlike.Items = append(unlike.Items, p.Name(r.Name)+" is not "+p.Name(shown[0].Name)+": "+p.Text(d))
			}
		}
	}
	if len(unlike.Items) > 0 {
		out = append([]webpage.Banner{unlike}, out...)
	}
	return out
}

// lateShare is the share of the p99 of response times from which the load generator's own lateness is said at the top.
const lateShare = 0.1

// lateGenerator returns the banner of a load run whose response times are in part the lateness of the load generator; nil for
// other runs.
func lateGenerator(p *textpage.Page, run *PageRun, named bool) *webpage.Banner {
	l := run.Result.Load
	if l == nil || l.ClosedLoop || l.Lateness == nil {
		return nil
	}
	b := webpage.Banner{Text: "the load generator was late: response times are partly its own", Advice: "give it a processor of its own, or ask for a lower rate"}
	if named {
		b.Text = p.Name(run.Name) + ": " + b.Text
	}
	for _, x := range run.Result.Latencies {
		if x.Kind == record.TagResponse && x.P99 > 0 && float64(l.Lateness.P99) > lateShare*float64(x.P99) {
			b.Items = append(b.Items, fmt.Sprintf("lateness p99 %s, response time p99 of %s %s", units.Time(l.Lateness.P99), p.Name(x.Name), units.Time(x.P99)))
		}
	}
	if len(b.Items) == 0 {
		return nil
	}
	return &b
}
