package instrument

import (
	"fmt"
	"slices"
	"strings"
)

// alias returns an import name for package runtime that occurs in no file of a package, because it must differ from
// all names that the package declares.
func alias(files []*sourceFile) string {
	name := "tareruntime"
	for n := 2; slices.ContainsFunc(files, func(s *sourceFile) bool { return strings.Contains(s.text, name) }); n++ {
		name = fmt.Sprintf("tareruntime%d", n)
	}
	return name
}

// rewrite returns the file's text with probes in the functions of ids. No line moves.
func (s *sourceFile) rewrite(ids map[*Func]int, alias string, countOnly bool) string {
	b := new(strings.Builder)
	last := 0
	insert := func(at int, text string) {
		b.WriteString(s.text[last:at])
		b.WriteString(text)
		last = at
	}
	insert(s.name, "; import "+alias+` "runtime"`)
	for _, f := range s.funcs { // literals follow their enclosing function, so braces ascend
		id, ok := ids[f]
		switch {
		case !ok:
		case countOnly:
			insert(f.brace, fmt.Sprintf(" %s.TareCount(%d, %s.TareCountSlow);", alias, id, alias))
		default:
			insert(f.brace, fmt.Sprintf(" defer %s.TareExit(%s.TareBegin(%s.TareEnter(%d)));", alias, alias, alias, id))
		}
	}
	b.WriteString(s.text[last:])
	return b.String()
}
