package profile

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/tarebench/tare/internal/show/textpage"
)

// expression returns what a regular expression was made of, "" for none.
func expression(e *regexp.Regexp) string {
	if e == nil {
		return ""
	}
	return e.String()
}

// narrow drops the stacks that are not to be shown. Sums of all stay what they are.
func (v *View) narrow() {
	if v.cfg.Narrows() {
		v.stacks = slices.DeleteFunc(v.stacks, func(s stack) bool { return !v.cfg.Keeps(s.names) })
	}
	v.Kept = sum(v.shown())
}

// inOrder returns functions, which have the most self first, in the order of [Config.Sort].
func (v *View) inOrder(list []Function) []Function {
	if v.cfg.Sort != textpage.SortTotal {
		return list
	}
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(b.BlockedTotal, a.BlockedTotal))
	})
	return out
}

// kept says which part of all is shown, and why only that. side is what stands before it.
func (t *text) kept(v *View, side string) {
	if !v.cfg.Narrows() {
		return
	}
	said := func(flag string, e *regexp.Regexp) string {
		if e == nil {
			return ""
		}
		return " --" + flag + " " + t.Line(e.String())
	}
	t.say("%sonly stacks kept by%s%s: %s of %s, %s; shares are of the %[5]s", t.Line(side), said("focus", v.cfg.Focus), said("ignore", v.cfg.Ignore),
		value(v.Kept, v.Unit), value(v.Shown, v.Unit), share(shareOf(v.Kept, v.Shown), v.chance(v.Kept, v.Shown)))
}
