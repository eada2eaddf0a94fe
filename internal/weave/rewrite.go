package weave

import (
	"fmt"
	"strings"
)

// rewrite returns the file's text with probes in some of its functions, given in the
// order of their braces. No line moves.
func (s *sourceFile) rewrite(ids map[*Func]int, countOnly bool) string {
	alias := "tareweave"
	for n := 2; strings.Contains(s.text, alias); n++ {
		alias = fmt.Sprintf("tareweave%d", n)
	}
	b := new(strings.Builder)
	last := 0
	insert := func(at int, text string) {
		b.WriteString(s.text[last:at])
		b.WriteString(text)
		last = at
	}
	insert(s.name, "; import "+alias+` "runtime"`)
	for _, f := range s.funcs { // literals follow what they are in: braces ascend
		id, ok := ids[f]
		switch {
		case !ok:
		case countOnly:
			insert(f.brace, fmt.Sprintf(" %s.TareCount(%d);", alias, id))
		default:
			insert(f.brace, fmt.Sprintf(" defer %s.TareExit(%s.TareBegin(%s.TareEnter(%d)));", alias, alias, alias, id))
		}
	}
	b.WriteString(s.text[last:])
	return b.String()
}
