package job

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/record"
)

// Names of the sides that have none of their own: of a revision and the working tree, or of the
// working tree as the base of another side.
const (
	SideOld  = "old"
	SideNew  = "new"
	SideBase = "base"
)

// Sides say what is compared with what.
type Sides struct {
	Against   []string // revisions that the working tree is compared with
	Side      []string // NAME=DIR or NAME=REVISION
	Toolchain []string // NAME=VERSION
	Setenv    []string // NAME=K=V
	Flags     []string // NAME=build flags
	Deep      []string // NAME

	Others bool // there are others than these: commits of a history, or a saved record
}

// List returns the sides in order, the base first; none if nothing is compared. Revisions are
// not resolved yet. Directories are absolute. It fails for an option that names no side, or a
// side twice.
func (f *Sides) List() ([]record.Side, error) {
	var out []record.Side
	at := func(name string) *record.Side {
		for i := range out {
			if out[i].Name == name {
				return &out[i]
			}
		}
		return nil
	}
	for _, rev := range f.Against {
		name := SideOld
		if len(f.Against) > 1 {
			name = rev
		}
		if at(name) != nil {
			return nil, fmt.Errorf("--against %s is given twice", rev)
		}
		out = append(out, record.Side{Name: name, Revision: rev})
	}
	for _, s := range f.Side {
		name, x, ok := strings.Cut(s, "=")
		if !ok || name == "" || x == "" {
			return nil, fmt.Errorf("--side %q is not of the form NAME=DIR or NAME=REVISION", s)
		}
		if at(name) != nil {
			return nil, fmt.Errorf("--side %s: there is a side of that name already", name)
		}
		out = append(out, newSide(name, x))
	}
	if len(f.Against) > 0 && at(SideNew) == nil {
		out = append(out, record.Side{Name: SideNew})
	}
	for _, p := range []struct {
		flag   string
		values []string
		set    func(*record.Side, string) error
	}{
		{"toolchain", f.Toolchain, func(s *record.Side, v string) error { s.Toolchain = v; return nil }},
		{"side-env", f.Setenv, setSideEnv},
		{"side-flags", f.Flags, setSideFlags},
	} {
		for _, v := range p.values {
			name, val, ok := strings.Cut(v, "=")
			if !ok || name == "" || val == "" {
				return nil, fmt.Errorf("--%s %q does not begin with NAME=", p.flag, v)
			}
			if at(name) == nil {
				out = append(out, record.Side{Name: name})
			}
			if err := p.set(at(name), val); err != nil {
				return nil, fmt.Errorf("--%s %s: %w", p.flag, v, err)
			}
		}
	}
	for _, name := range f.Deep {
		if at(name) == nil {
			out = append(out, record.Side{Name: name})
		}
		at(name).Deep = true
	}
	return twoSides(out), nil
}

// twoSides adds the working tree to a single side, which needs something to be
// compared with.
func twoSides(sides []record.Side) []record.Side {
	if len(sides) != 1 {
		return sides
	}
	if s := sides[0]; s.Name != SideNew && (s.Revision != "" || s.Dir != "") {
		return append(sides, record.Side{Name: SideNew})
	}
	return append([]record.Side{{Name: SideBase}}, sides...)
}

func newSide(name, x string) record.Side {
	if st, err := os.Stat(x); err == nil && st.IsDir() {
		if abs, err := filepath.Abs(x); err == nil {
			return record.Side{Name: name, Dir: abs}
		}
	}
	return record.Side{Name: name, Revision: x}
}

func setSideEnv(s *record.Side, kv string) error {
	if k, _, ok := strings.Cut(kv, "="); !ok || k == "" {
		return errors.New("want NAME=K=V")
	}
	s.Setenv = append(s.Setenv, kv)
	return nil
}

func setSideFlags(s *record.Side, flags string) error {
	words, err := splitWords(flags)
	if err != nil {
		return err
	}
	s.Flags = append(s.Flags, words...)
	return build.Options{Flags: s.Flags}.Validate()
}

// splitWords splits at blanks outside single or double quotes.
func splitWords(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inWord := false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\t':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a %c is not closed", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
