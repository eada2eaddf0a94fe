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

//go:embed *.js
var files embed.FS

// Page are the modules of a page, those that others import first.
var Page = []string{"state", "elements", "theme", "copy", "tables", "pictures", "flame", "main"}

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
