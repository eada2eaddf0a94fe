// Package script holds what browsers run: small ES modules, for pages and for flame graphs. There is no build step: Join
// puts modules into one, since a page that is one file can import nothing.
package script

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// files are the modules, one each.
//
//go:embed *.js
var files embed.FS

var (
	//go:embed uplot/uPlot.iife.min.js
	uPlot string
	//go:embed uplot/uPlot.min.css
	uPlotStyle string
)

// Page are the modules of a page, those that others import first.
var Page = append(slices.Clone(parts), "main")

// Live are the modules of the page of a run that goes on.
var Live = append(slices.Clone(parts), "growing", "live")

var parts = []string{"state", "elements", "theme", "copy", "tables", "pictures", "words", "bars", "drawn", "strips", "print", "flame", "calltree", "profiles", "frame", "records", "histogram", "charts", "loadrun", "marks", "overtime"}

var (
	imports = regexp.MustCompile(`(?m)^import \{.*\} from "\./(\w+)\.js";\n`)
	exports = regexp.MustCompile(`(?m)^export `)
)

// Join returns modules as one, without their imports and exports. Modules that others import come first. It panics if one
// is missing, or comes later than who imports it: the modules are part of the program.
func Join(names ...string) string {
	var out strings.Builder
	for i, name := range names {
		text, err := files.ReadFile(name + ".js")
		if err != nil {
			panic(fmt.Sprintf("script: %v", err))
		}
		for _, m := range imports.FindAllSubmatch(text, -1) {
			if !slices.Contains(names[:i], string(m[1])) {
				panic(fmt.Sprintf("script: %s imports %s, which is not before it", name, m[1]))
			}
		}
		out.Write(exports.ReplaceAll(imports.ReplaceAll(text, nil), nil))
	}
	return out.String()
}

// Charts returns the script and the style of uPlot, which draws the charts of module charts. It is a script of its own, before
// the modules.
func Charts() (js, css string) {
	_, code, _ := strings.Cut(uPlot, "\n") // the first line is a comment with an address, and pages have none
	return "/*! uPlot 1.6.32, © Leon Sorokin, MIT licence */\n" + code, uPlotStyle
}
