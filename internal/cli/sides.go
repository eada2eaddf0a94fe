package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

// sideFlags say what is compared with what.
type sideFlags struct {
	against   []string
	side      []string
	toolchain []string
	env       []string
	flags     []string
	deep      []string
}

func (f *sideFlags) register(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.against, "against", nil, "compare the working tree with this `revision`, measured interleaved with it; repeatable")
	fl.StringArrayVar(&f.side, "side", nil, "compare `NAME=X`, a directory or a revision; repeatable, the first is the base")
	fl.StringArrayVar(&f.toolchain, "toolchain", nil, "build the side NAME with a toolchain: `NAME=go1.25.5`")
	fl.StringArrayVar(&f.env, "side-env", nil, "set a variable for building and running the side NAME: `NAME=K=V`")
	fl.StringArrayVar(&f.flags, "side-flags", nil, "build flags of the side NAME: `NAME='-gcflags=-l -pgo=x.prof'`")
	fl.StringArrayVar(&f.deep, "side-deep", nil, "--deep for the side `NAME` alone: what the hooks weigh")
}

// Names of the sides that --against makes.
const (
	sideOld  = "old"
	sideNew  = "new"
	sideBase = "base"
)

// specs returns the sides in order, the base first; none if nothing is
// compared. Revisions are not resolved yet. Directories are absolute.
func (f *sideFlags) specs() ([]record.Side, error) {
	var out []record.Side
	at := func(name string) *record.Side {
		for i := range out {
			if out[i].Name == name {
				return &out[i]
			}
		}
		return nil
	}
	for _, rev := range f.against {
		name := sideOld
		if len(f.against) > 1 {
			name = rev
		}
		if at(name) != nil {
			return nil, fmt.Errorf("--against %s is given twice", rev)
		}
		out = append(out, record.Side{Name: name, Revision: rev})
	}
	for _, s := range f.side {
		name, x, ok := strings.Cut(s, "=")
		if !ok || name == "" || x == "" {
			return nil, fmt.Errorf("--side %q is not of the form NAME=DIR or NAME=REVISION", s)
		}
		if at(name) != nil {
			return nil, fmt.Errorf("--side %s: there is a side of that name already", name)
		}
		out = append(out, newSide(name, x))
	}
	if len(f.against) > 0 && at(sideNew) == nil {
		out = append(out, record.Side{Name: sideNew})
	}
	for _, p := range []struct {
		flag   string
		values []string
		set    func(*record.Side, string) error
	}{
		{"toolchain", f.toolchain, func(s *record.Side, v string) error { s.Toolchain = v; return nil }},
		{"side-env", f.env, setSideEnv},
		{"side-flags", f.flags, setSideFlags},
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
	for _, name := range f.deep {
		if at(name) == nil {
			out = append(out, record.Side{Name: name})
		}
		at(name).Deep = true
	}
	return twoSides(out), nil
}

// checkSides checks the flags of comparisons and sets the configuration.
func (f *benchFlags) checkSides(cmd *cobra.Command, c *record.Config, bad func(string, ...any)) {
	sides, err := f.sides.specs()
	if err != nil {
		bad("%v", err)
	}
	t, err := session.ParseShare(f.threshold)
	if err != nil {
		bad("--threshold: %v", err)
	}
	switch c.Correction {
	case result.BenjaminiHochberg, result.Holm, result.NoCorrection:
	default:
		bad("--correction %q is none of bh, holm, none", c.Correction)
	}
	if _, err := parseGates(f.gates); err != nil {
		bad("%v", err)
	}
	if c.Layouts < 0 || c.Layouts == 1 {
		bad("--layouts %d is less than 2", c.Layouts)
	}
	if len(sides) > 0 {
		c.Threshold = t
		return
	}
	c.Correction = ""
	for _, name := range []string{"gate", "threshold", "correction"} {
		if cmd.Flags().Changed(name) {
			bad("--%s needs sides to compare: --against REV, or --side NAME=DIR", name)
		}
	}
}

// twoSides adds the working tree to a single side, which needs something to be
// compared with.
func twoSides(sides []record.Side) []record.Side {
	if len(sides) != 1 {
		return sides
	}
	if s := sides[0]; s.Revision != "" || s.Dir != "" {
		return append(sides, record.Side{Name: sideNew})
	}
	return append([]record.Side{{Name: sideBase}}, sides...)
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
