package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
)

// sameCode returns a note that two cases run the same code, in binaries that differ or in one that has another environment
// on each side. It is nil if that is not known, or if an older version has put it into the record.
func (b *Builder) sameCode(old, new *caseData) *Warning {
	if x, y := b.bins[old.line.Bin], b.bins[new.line.Bin]; x != nil && y != nil && x.SHA256 != "" && x.SHA256 == y.SHA256 {
		text := "the same binary on both sides: what differs is its environment"
		if d := differing(b.setenv(old.line.Side), b.setenv(new.line.Side)); d != "" {
			text += ", " + d
		}
		return &Warning{Code: CodeSameCode, Text: text}
	}
	for _, w := range b.warns {
		if w.Code == CodeSameCode && w.About == record.AboutCase && w.ID == new.line.ID {
			return nil
		}
	}
	if old.line.Code == "" || old.line.Code != new.line.Code {
		return nil
	}
	return &Warning{
		Code: CodeSameCode,
		Text: "the benchmark's own machine code is the same on both sides",
		Advice: "what can still differ: the runtime and deeper parts of the standard library, calls through interfaces, data, the environment, " +
			"where the linker placed the code (--layouts 4), the machine",
	}
}

// differing names the settings that only one of two sides has.
func differing(old, new []string) string {
	only := func(xs, ys []string) string {
		lone := slices.DeleteFunc(slices.Clone(xs), func(x string) bool { return slices.Contains(ys, x) })
		if len(lone) == 0 {
			return "none"
		}
		return strings.Join(lone, " ")
	}
	if x, y := only(old, new), only(new, old); x != y {
		return fmt.Sprintf("%s against %s", y, x)
	}
	return ""
}
