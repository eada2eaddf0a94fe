package teamfile

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/suggest"
)

// unknownKey returns the error of a key that no setting has.
func unknownKey(path, text string, key toml.Key) error {
	at := path
	if line := lineOf(text, key); line > 0 {
		at = fmt.Sprintf("%s:%d", path, line)
	}
	hint := "the keys are in the help text of tare bench, and in docs/ci.md"
	if near := nearest(key); near != "" {
		hint = "did you mean: " + near
	}
	return exit.Usage(fmt.Errorf("%s: there is no setting %s", at, key), hint)
}

// lineOf returns the line on which a key stands, counted from 1; 0 if it is not found, as in a table within a line.
func lineOf(text string, key toml.Key) int {
	table, n := "", 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			name, _, _ = strings.Cut(strings.TrimLeft(name, "["), "]")
			table = strings.TrimSpace(name)
			if table == key.String() {
				return n
			}
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		if name = strings.Trim(strings.TrimSpace(name), `"'`); !ok || name == "" {
			continue
		}
		if table != "" {
			name = table + "." + name
		}
		if name == key.String() {
			return n
		}
	}
	return 0
}

// nearest returns the known key of the same table that a misspelt one is closest to.
func nearest(key toml.Key) string {
	known := append(keysIn(""), "packages", "gates", "bench", TableCI, TableHistory)
	switch {
	case len(key) > 1 && key[0] == "bench":
		known = []string{"match", "threshold", "gate"}
	case len(key) > 1:
		known = append(keysIn(key[0]), "packages", "gates", "env")
	}
	return suggest.Nearest(key[len(key)-1], known, 2)
}
