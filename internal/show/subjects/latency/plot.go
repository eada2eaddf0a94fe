package latency

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/chart"
)

// Plot says how a picture looks.
type Plot struct {
	Title    string // empty: what the picture shows
	Subtitle string
	Linear   bool // a linear scale of latency, not a logarithmic one
	Files    int  // how many were read; curves of several are named by their files
}

// PlotDistributions draws latency by percentile, as SVG. corrected is the interval that
// corrected distributions assume, 0 if there is none.
func (p Plot) PlotDistributions(w io.Writer, all []*latencies.Distribution, corrected time.Duration) error {
	var sources []*latencies.Source
	var estimates []bool
	for _, d := range all {
		sources, estimates = append(sources, &d.Source), append(estimates, d.Corrected > 0)
	}
	if err := checkCurves(len(all), sources); err != nil {
		return err
	}
	labels := p.labels(sources, estimates)
	hues, strokes := styles(sources)
	c := chart.Percentiles{Title: p.titleOr("Latency by percentile"), Subtitle: p.Subtitle, Y: p.yAxis(), Few: latencies.FewBeyond}
	dotted := false
	for n, d := range all {
		c.Curves = append(c.Curves, chart.Curve{Label: labels[n], Hue: hues[n], Stroke: strokes[n], Steps: steps(d)})
		dotted = dotted || d.Histogram.Count() > 0 // the end of every curve is
	}
	if dotted {
		if slices.Contains(strokes, chart.Dashed) {
			c.Notes = append(c.Notes, "dashed: other times than response times")
		}
		c.Notes = append(c.Notes, fmt.Sprintf("dotted: fewer than %d values lie beyond", latencies.FewBeyond))
	}
	if corrected > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("corrected: an estimate, as if the loop had sent every %s", corrected))
	}
	return c.Write(w)
}

// steps returns the buckets of a distribution, in seconds.
func steps(d *latencies.Distribution) (out []chart.Step) {
	seen := int64(0)
	for b, n := range d.Histogram.Buckets() {
		seen += n
		v := min(b.Highest, d.Histogram.Max())
		out = append(out, chart.Step{Value: float64(v) * float64(d.Unit) / 1e9, Count: seen})
	}
	return out
}

// mostCurves is the number of curves beyond which a picture shows nothing.
const mostCurves = 12

func checkCurves(n int, sources []*latencies.Source) error {
	if n <= mostCurves {
		return nil
	}
	var tags []string
	for _, s := range sources {
		tags = append(tags, s.Tag)
	}
	return exit.Usage(fmt.Errorf("%d curves are too many for one picture, of at most %d", n, mostCurves), "choose with --tag: "+latencies.ListTags(tags))
}

// yAxis returns the axis of latency, in seconds.
func (p Plot) yAxis() chart.Axis { return chart.Axis{Name: "latency", Unit: "s", Log: !p.Linear} }

func (p Plot) titleOr(title string) string {
	if p.Title != "" {
		return p.Title
	}
	return title
}

// labels names the curves by what distinguishes them: tags, files, or both.
func (p Plot) labels(sources []*latencies.Source, corrected []bool) []string {
	tags, files := map[string]bool{}, map[string]string{}
	fullPaths := false // base names of files are not unique
	for _, s := range sources {
		tags[s.Tag] = true
		base := filepath.Base(s.File)
		if file, ok := files[base]; ok && file != s.File {
			fullPaths = true
		}
		files[base] = s.File
	}
	var out []string
	for n, s := range sources {
		file, tag := s.File, latencies.TagName(s.Tag)
		if !fullPaths {
			file = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".hlog"), ".jsonl")
		}
		label := file + " " + tag
		switch {
		case p.Files == 1:
			label = tag
		case len(tags) == 1:
			label = file
		}
		if corrected[n] {
			label += ", corrected"
		}
		out = append(out, label)
	}
	return out
}
