package teamfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/suggest"
	"github.com/tarebench/tare/internal/cli/flags"
)

// unknownKey returns the error of a key that no setting has.
func unknownKey(path, text string, key toml.Key) error {
	at := path
	if line := lineOf(text, key); line > 0 {
		at = fmt.Sprintf("%s:%d", path, line)
	}
	hint := "tare bench --help-all lists the keys"
	if now := renamed(key); now != "" {
		hint = key.String() + " is " + now + " now"
	} else if near := nearest(key); near != "" {
		hint = "did you mean: " + near
	}
	return exit.Usage(fmt.Errorf("%s: there is no setting %s", at, key), hint)
}

// renamed returns what the last part of an old key is now, "" if it is none.
func renamed(key toml.Key) string {
	for _, now := range flags.Old[key[len(key)-1]] {
		if slices.Contains(knownKeys(key), now) {
			return now
		}
	}
	return ""
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
	return suggest.Nearest(key[len(key)-1], knownKeys(key), 2)
}

// knownKeys returns the keys of the table that a key is in.
func knownKeys(key toml.Key) []string {
	switch {
	case len(key) > 1 && key[0] == "bench":
		return []string{"match", "threshold", "gate"}
	case len(key) > 1:
		return append(keysIn(key[0]), "packages", "gates", "env")
	}
	return append(keysIn(""), "packages", "gates", "bench", TableCI, TableHistory)
}
