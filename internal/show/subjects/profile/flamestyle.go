package profile

import (
	"fmt"
	"math"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/internal/show/chart"
)

// flameStyle is what the image has besides the style of charts. The colours of functions are the same in light and
// dark. In one profile a colour says whose code a function is. In two profiles it says how the share changed, from
// blue over grey to orange. Functions that were blocked all the time are paler, with a broken outline.
const flameStyle = `text { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 11px; fill: #16202b }
.title, .minor { font-family: system-ui, sans-serif }
.minor { font-size: 12px }
rect { stroke: #ffffff; stroke-width: 0.5 }
` + chart.BoxColours + `
@media (prefers-color-scheme: dark) {
.paper { stroke: none }
.title { fill: #e6edf3 }
rect { stroke: #0d1117 }
}
`

func moduleClass(m gofunc.Module) string { return fmt.Sprintf("m%d", m) }

// Differences of shares from which a colour is stronger.
var changeSteps = []float64{0.01, 0.05}

// changeClass returns the class of a function whose share changed: n0 within noise.
func (d *Difference) changeClass(c ShareChange) string {
	if !d.Exceeds(c) {
		return "n0"
	}
	strength := 1
	for _, step := range changeSteps {
		if math.Abs(c.Value) >= step {
			strength++
		}
	}
	if c.Value < 0 {
		return fmt.Sprintf("l%d", strength)
	}
	return fmt.Sprintf("g%d", strength)
}

// legend says what the colours of a difference mean.
func (d *Difference) legend() []chart.Swatch {
	same := "within noise"
	if !d.Sampled {
		same = "the same"
	}
	small, large := units.Count(int(100*changeSteps[0])), units.Count(int(100*changeSteps[1]))
	return []chart.Swatch{
		{Class: "l3", Words: "less by " + large + " points or more"}, {Class: "l2", Words: "by " + small + " to " + large}, {Class: "l1", Words: "by less"}, {Class: "n0", Words: same},
		{Class: "g1", Words: "more by less than " + small}, {Class: "g2", Words: "by " + small + " to " + large}, {Class: "g3", Words: "by " + large + " or more"},
	}
}

// flameTitle returns what stands above an image, and on how many samples it is based.
func (v *View) flameTitle() (title, samples string) {
	title = v.Type
	if v.program != "" {
		title = v.program + ": " + title
	}
	if h := v.how; h != nil {
		samples = units.Plural(h.Samples, "sample") + "; "
	}
	return title, samples
}

// flameWords returns what stands above the image of what is shown.
func (v *View) flameWords() (title, note string) {
	title, note = v.flameTitle()
	all := value(v.Kept, v.Unit) + " in all"
	if v.cfg.Narrows() {
		all = fmt.Sprintf("%s of %s", value(v.Kept, v.Unit), value(v.Shown, v.Unit))
		for _, x := range []struct{ flag, text string }{{"--focus", expression(v.cfg.Focus)}, {"--ignore", expression(v.cfg.Ignore)}} {
			if x.text != "" {
				all += ", " + x.flag + " " + x.text
			}
		}
	}
	switch {
	case v.Total == 0:
		return title, note + "no function was sampled"
	case v.ExcludesBlocked():
		return title + ", running", note + all + ", and " + value(v.Blocked, v.Unit) + " blocked, not in this image; callers below callees"
	}
	return title, note + all + "; callers below callees"
}
