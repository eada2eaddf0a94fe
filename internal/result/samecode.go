package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// sameCode returns a note if both cases are known to run the same machine code: they share a binary and differ in its
// environment or in files that it can read, or their binaries differ and the digests of the benchmark's code are equal.
// Otherwise it returns nil, and also if the record has such a note already, as records of older versions do.
func (b *Builder) sameCode(old, new *caseData) *Warning {
	if b.sameBinary(old, new) {
		more := ""
		if b.archived {
			more = ", the machine or its environment"
		}
		text, d := "the same binary on both sides", differing(b.setenv(old.line.Side), b.setenv(new.line.Side))
		switch p, q := b.bins[old.line.Bin].Program(), b.bins[new.line.Bin].Program(); {
		case d != "":
			text += ": what differs is its environment, " + d
		case p == "" || q == "":
			text += ": whether the files that it reads differ is not known"
		case p != q:
			text += ": what differs is files that it can read" + more
		case b.sameProgram(old, new):
			text += ", with the same files and settings: what differs is the machine or its environment"
		default: // settings with secrets
			text += ": what differs is its environment"
		}
		return &Warning{Code: CodeSameCode, Text: text}
	}
	for _, w := range b.warns {
		if w.Code == CodeSameCode && w.About == record.AboutCase && w.ID == new.line.ID {
			return nil
		}
	}
	if b.by != "" || old.line.Code == "" || old.line.Code != new.line.Code {
		return nil
	}
	return &Warning{
		Code: CodeSameCode,
		Text: "the benchmark's own machine code is the same on both sides",
		Advice: "what can still differ: the runtime and deeper parts of the standard library, calls through interfaces, data, the environment, " +
			"where the linker placed the code (--layouts 4), the machine",
	}
}

// unexplained reports whether a difference between the cases is not one of the code: both run the same binary, and
// are of two runs, or of one that asked for no difference.
func (b *Builder) unexplained(old, new *caseData) bool {
	return b.archived && b.sameBinary(old, new) || b.sameProgram(old, new)
}

// warnSameBinary takes the trust from a difference between two measurements of one binary, and adds the note about it.
func (c *Comparison) warnSameBinary() {
	if c.sameBinary == nil {
		return
	}
	w := *c.sameBinary
	above, _ := c.ForksAbove(0)
	called := []stat.Verdict{stat.Slower, stat.Faster, stat.More, stat.Less}
	if above == 0 && !slices.Contains(called, stat.Verdict(c.Verdict)) {
		return
	}
	w.Code, w.Advice = CodeOneBinary, "compare the environment variables, the processors and the machines of both runs, then measure both again"
	c.Warnings = append(c.Warnings, w)
	c.suspect(CodeOneBinary)
}

// differing returns the settings that only one of the sides has, as "GOGC=50 against none". It returns "" if there
// are none.
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
