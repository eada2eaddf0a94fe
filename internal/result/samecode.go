package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// sameCode returns a note if both cases are known to run the same machine code: they share a binary and differ in its
// environment or in files that it can read, or their binaries differ and the digests of the benchmark's code are equal.
// Otherwise it returns nil, and also if the record has such a note already, as records of older versions do.
func (b *Builder) sameCode(old, new *caseData) *record.Warn {
	if b.sameBinary(old, new) {
		form, settings := b.besideBinary(old, new)
		return diagnosis.WarnForm(diagnosis.SameCode, form, diagnosis.Facts{"settings": settings})
	}
	for _, w := range b.warns {
		if w.Code == diagnosis.SameCode && w.About == record.AboutCase && w.ID == new.line.ID {
			return nil
		}
	}
	if b.by != "" || old.line.Code == "" || old.line.Code != new.line.Code {
		return nil
	}
	return diagnosis.Warn(diagnosis.SameCode, nil)
}

// besideBinary returns what differs between two cases of one binary, as the form of the warning about it, and the settings
// that do.
func (b *Builder) besideBinary(old, new *caseData) (form, settings string) {
	settings = differing(b.setenv(old.line.Side), b.setenv(new.line.Side))
	switch p, q := b.bins[old.line.Bin].Program(), b.bins[new.line.Bin].Program(); {
	case settings != "":
		return "environment", settings
	case p == "" || q == "":
		return "files-unknown", ""
	case p != q && b.archived:
		return "files-or-machine", ""
	case p != q:
		return "files", ""
	case b.sameProgram(old, new):
		return "machine", ""
	}
	return "environment", "" // settings with secrets
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
	above, _ := c.ForksAbove(0)
	called := []stat.Verdict{stat.Slower, stat.Faster, stat.More, stat.Less}
	if above == 0 && !slices.Contains(called, stat.Verdict(c.Verdict)) {
		return
	}
	w := diagnosis.WarnForm(diagnosis.OneBinary, c.sameBinary.Form, diagnosis.Facts{"settings": c.sameBinary.Facts["settings"]})
	c.Warnings = append(c.Warnings, WarningOf(w))
	c.suspect(diagnosis.OneBinary)
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
