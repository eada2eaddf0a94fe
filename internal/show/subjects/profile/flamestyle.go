package profile

import (
	"fmt"
	"math"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/binary/gofunc"
)

// flameStyle follows the reader's preference for light or dark, as the charts do.
const flameStyle = `text { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 11px; fill: #16202b }
.paper { fill: #ffffff }
.title { font-family: system-ui, sans-serif; font-size: 16px; font-weight: 600 }
.minor { font-family: system-ui, sans-serif; font-size: 12px; fill: #4b535d }
rect { stroke: #ffffff; stroke-width: 0.5 }
` + FlameColours + `
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117; stroke: none }
.title { fill: #e6edf3 }
.minor { fill: #b1bac4 }
rect { stroke: #0d1117 }
}
`

// FlameColours are the colours of functions, which are the same in light and dark. In one profile a colour says whose code a
// function is. In two profiles it says how the share changed, from blue over grey to orange. Readers with colour blindness
// can distinguish the colours of both palettes (after Okabe and Ito). Functions that were blocked all the time are paler,
// with a broken outline.
const FlameColours = `.root { fill: #dfe3e8 } .m0 { fill: #f2ad5c } .m1 { fill: #84c5ee } .m2 { fill: #8fd3b6 } .m3 { fill: #f4e785 } .m4 { fill: #dba6c4 } .m5 { fill: #c3c9d1 }
.l3 { fill: #5f9fd6 } .l2 { fill: #9cc5e8 } .l1 { fill: #cfe2f3 } .n0 { fill: #e4e6e9 } .g1 { fill: #fbe0c4 } .g2 { fill: #f6bd84 } .g3 { fill: #ec8f45 }
.blocked { fill-opacity: 0.7; stroke: #4b535d; stroke-dasharray: 3 2 }`

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
func (d *Difference) legend() []Swatch {
	same := "within noise"
	if !d.Sampled {
		same = "the same"
	}
	small, large := units.Count(int(100*changeSteps[0])), units.Count(int(100*changeSteps[1]))
	return []Swatch{
		{"l3", "less by " + large + " points or more"}, {"l2", "by " + small + " to " + large}, {"l1", "by less"}, {"n0", same},
		{"g1", "more by less than " + small}, {"g2", "by " + small + " to " + large}, {"g3", "by " + large + " or more"},
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
