package chart

import (
	"fmt"
	"strconv"
	"strings"
)

// style gives each class its look. Colours are written out for light and dark in
// place of variables, which many converters do not know; without a preference the
// light ones hold. Text has a contrast of 7 to 1 on either paper, bars of 3 to 1.
const style = `text { font-family: system-ui, -apple-system, "Segoe UI", sans-serif; font-size: 12px; fill: #24292f; font-variant-numeric: tabular-nums }
.paper { fill: #ffffff }
.title { font-size: 16px; font-weight: 600 }
.minor { fill: #4b535d }
.grid { stroke: #d8dee4; stroke-width: 1; fill: none }
.axis { stroke: #6e7781; stroke-width: 1; fill: none }
.bar { fill: #3b7dd8 }
.muted { fill: #8c959f }
.whisker { stroke: #16202b; stroke-width: 1.5; fill: none }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.paper { fill: #0d1117 }
.minor { fill: #b1bac4 }
.grid { stroke: #2b323b }
.axis { stroke: #8b949e }
.bar { fill: #3f7fd6 }
.muted { fill: #6e7681 }
.whisker { stroke: #f0f6fc }
}
`

// hues is how many colours curves have.
const hues = 8

// hue returns the class of a colour.
func hue(n int) string { return "hue" + strconv.Itoa((n%hues+hues)%hues) }

// class returns the CSS class of lines in this style.
func (s Stroke) class() string {
	switch s {
	case Dashed:
		return "curve dashed"
	case Dotted:
		return "curve dotted"
	}
	return "curve"
}

// plotStyle is what curves have besides. Their colours are those of their names,
// and so have a contrast of 4.5 to 1 on either paper; next to each other they also
// differ in lightness.
var plotStyle = `.curve { stroke-width: 1.8; fill: none; stroke-linejoin: round; stroke-linecap: round }
.dashed { stroke-dasharray: 7 4 }
.dotted { stroke-dasharray: 0.1 4 }
.mark { stroke-width: 6; stroke-linecap: round; fill: none }
.lead { stroke-width: 0.75; fill: none; opacity: 0.55 }
.tag { stroke: none }
` + hueRules("#0b5cc4", "#b54708", "#1a7431", "#7a3fd1", "#b4256f", "#0b6e80", "#7a5c00", "#57606a") +
	"@media (prefers-color-scheme: dark) {\n" +
	hueRules("#6cb6ff", "#f0a070", "#56d364", "#bc8cff", "#f778ba", "#39c5cf", "#e3b341", "#adbac7") + "}\n"

func hueRules(colours ...string) string {
	var b strings.Builder
	for n, colour := range colours {
		fmt.Fprintf(&b, "path.%s { stroke: %s } text.%[1]s { fill: %[2]s }\n", hue(n), colour)
	}
	return b.String()
}
