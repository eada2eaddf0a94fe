package profile

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
)

// Collapsed writes a line for each stack, its functions from the outermost in with
// semicolons between them, and its value: what flame graph tools read. It has the stacks
// that tables count, so blocked ones only with [Config.Blocked]. A semicolon or a
// line break in a name becomes a colon or a space, and characters that a terminal would
// obey are escaped.
func (v *View) Collapsed(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, s := range v.merged() {
		fmt.Fprintf(b, "%s %d\n", s.id, s.value)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("profile: collapsed stacks: %w", err)
	}
	return nil
}

type line struct {
	id    string
	value int64
}

var charset = termtext.Charset{UTF8: true}

// merged returns the stacks with those that are alike as one, in the order of names.
func (v *View) merged() []line {
	clean := strings.NewReplacer(";", ":", "\n", " ", "\r", " ")
	at := map[string]int64{}
	for _, s := range v.shown() {
		parts := make([]string, len(s.names))
		for i, n := range s.names {
			parts[i] = charset.Name(clean.Replace(n))
		}
		at[strings.Join(parts, ";")] += s.value
	}
	out := make([]line, 0, len(at))
	for id, value := range at {
		out = append(out, line{id, value})
	}
	slices.SortFunc(out, func(a, b line) int { return cmp.Compare(a.id, b.id) })
	return out
}

// Pprof writes what is shown in the format of pprof, gzipped: with all sample types.
func (v *View) Pprof(w io.Writer) error {
	p := v.p.Copy()
	p.DefaultSampleType = v.Type
	if err := p.Write(w); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}
