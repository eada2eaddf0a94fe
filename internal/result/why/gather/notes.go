package gather

import (
	"path"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/internal/result/compiled"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/record"
)

// executed is what was seen running on each side; nil where nothing profiled.
type executed [2]*compiled.Executed

func (x *executed) add(side int, symbol, file string, line int) {
	if x[side] == nil {
		x[side] = &compiled.Executed{}
	}
	x[side].Add(symbol, file, line)
}

// noteKinds are the compiler's notes that are causes.
var noteKinds = map[string]why.NoteKind{
	record.NoteInlined: why.Inlined, record.NoteEscape: why.Escapes, record.NoteBounds: why.Bounds, record.NoteSliceBounds: why.Bounds,
}

// notes takes what the compiler says about one side alone, of code that was seen running, and the settings that differ.
func (g *gatherer) notes() {
	of := func(side string) *record.Compiled {
		for _, x := range g.res.Compiled {
			if x.Pkg == g.c.Pkg && x.Side == side {
				return x.Compiled
			}
		}
		return nil
	}
	old, new := of(g.c.Base), of(g.c.Side)
	if old == nil || new == nil {
		return
	}
	g.profiled.Notes = true
	if len(old.Code) > 0 && len(new.Code) > 0 {
		g.e.Code = [2]map[string]why.Code{codeOf(old.Code), codeOf(new.Code)}
	}
	d := compiled.Diff(old, new, compiled.Options{Old: g.done[0], New: g.done[1]})
	for _, s := range d.Settings {
		if slices.ContainsFunc(g.e.Settings, func(x why.Setting) bool { return x.Name == s.Name }) {
			continue // a flag of one side
		}
		g.e.Settings = append(g.e.Settings, why.Setting{Name: s.Name, Old: s.Old, New: s.New})
	}
	for i := range d.Functions {
		f := &d.Functions[i]
		if f.Renamed() {
			g.e.Pairs = append(g.e.Pairs, why.Pair{Symbol: [2]string{symbol(f.Old), symbol(f.New)}})
		}
		for _, c := range f.Changes {
			g.note(f.Old, c.Old, 0, c)
			g.note(f.New, c.New, 1, c)
		}
	}
}

// codeOf returns machine code by the bases of functions. Copies of a function for several types count as one.
func codeOf(list []record.MachineCode) map[string]why.Code {
	out := map[string]why.Code{}
	for _, x := range list {
		base := baseOf(x.Name)
		c := out[base]
		c.Digest += x.Digest
		for _, callee := range x.Calls {
			c.Calls = append(c.Calls, baseOf(callee))
		}
		out[base] = c
	}
	return out
}

func symbol(f *record.CompiledFunction) string { return gofunc.LinkName(f.Pkg, f.Name) }

// note takes a note that only one side has.
func (g *gatherer) note(f *record.CompiledFunction, n *record.CompilerNote, side int, c compiled.Change) {
	if f == nil || n == nil || c.Old != nil && c.New != nil {
		return
	}
	kind, ok := noteKinds[n.Kind]
	if !ok {
		return
	}
	out := why.Note{Kind: kind, Side: side, In: symbol(f), Place: why.Place{Func: symbol(f), File: f.File, Line: n.Line}, Text: n.Text}
	if len(n.Inlined) > 0 {
		at := n.Inlined[len(n.Inlined)-1]
		out.Code = why.Place{File: at.File, Line: at.Line}
	}
	if kind == why.Escapes {
		out.Text += escapesBy(n.Why)
	}
	out.New = !g.hasLine(out, side)
	if kind == why.Inlined {
		out.Callee, out.Text = callee(f.Pkg, n.Text), g.reason(n.Text, side)
	}
	g.e.Notes = append(g.e.Notes, out)
}

// hasLine reports whether the other side has the lines of a note as often, in functions of the same names. It is true where that is not known.
func (g *gatherer) hasLine(n why.Note, side int) bool {
	var sides [2]*record.Compiled
	for i, name := range []string{g.c.Base, g.c.Side} {
		for _, x := range g.res.Compiled {
			if x.Pkg == g.c.Pkg && x.Side == name {
				sides[i] = x.Compiled
			}
		}
	}
	for _, at := range []why.Place{n.Place, n.Code} {
		f := functionAt(sides[side], at)
		if f == nil {
			continue
		}
		i := slices.IndexFunc(sides[1-side].Functions, func(o record.CompiledFunction) bool { return o.Pkg == f.Pkg && o.Name == f.Name })
		if i < 0 {
			continue // renamed
		}
		here, there := lineHashes(f), lineHashes(&sides[1-side].Functions[i])
		if line := here[at.Line-f.Line]; count(here, line) > count(there, line) {
			return false
		}
	}
	return true
}

func count(list []string, x string) (n int) {
	for _, y := range list {
		if y == x {
			n++
		}
	}
	return n
}

// functionAt returns the innermost function at a place, nil if there is none whose lines are known.
func functionAt(c *record.Compiled, at why.Place) (found *record.CompiledFunction) {
	for i := range c.Functions {
		f := &c.Functions[i]
		inside := f.File == path.Base(at.File) && f.Line <= at.Line && at.Line < f.Line+len(f.Source)/record.SourceHash
		if inside && (found == nil || f.Line >= found.Line) {
			found = f
		}
	}
	return found
}

// lineHashes returns the hashes of the lines of a function.
func lineHashes(f *record.CompiledFunction) (out []string) {
	const size = record.SourceHash
	for k := range len(f.Source) / size {
		out = append(out, string(f.Source[k*size:(k+1)*size]))
	}
	return out
}

// escapesBy returns the last step of the way by which a value escapes: " by STEP", and "" if the compiler does not say it.
func escapesBy(steps []string) string {
	if len(steps) == 0 {
		return ""
	}
	step, ok := strings.CutPrefix(steps[len(steps)-1], "from ")
	if !ok {
		return ""
	}
	if i := strings.LastIndex(step, " ("); i > 0 && strings.Contains(step[i:], ".go:") {
		step = step[:i] // its position
	}
	return " by " + step
}

// callee returns the symbol of a function as the compiler names it in a package: without the path for its own.
func callee(pkg, name string) string {
	if strings.Contains(name, "/") || isQualified(name) {
		return name
	}
	return gofunc.LinkName(pkg, name)
}

// isQualified reports whether a name begins with that of a package.
func isQualified(name string) bool {
	first, _, ok := strings.Cut(name, ".")
	return ok && !strings.HasPrefix(name, "(") && first != "" && first[0] >= 'a' && first[0] <= 'z'
}

// reason returns why a function cannot be inlined on the side that does not inline it.
func (g *gatherer) reason(name string, side int) string {
	want := []string{g.c.Side, g.c.Base}[side]
	for _, x := range g.res.Compiled {
		if x.Pkg != g.c.Pkg || x.Side != want {
			continue
		}
		for i := range x.Functions {
			f := &x.Functions[i]
			if f.Name != name && f.Pkg[strings.LastIndexByte(f.Pkg, '/')+1:]+"."+f.Name != name {
				continue
			}
			for _, n := range f.Notes {
				if n.Kind == record.NoteNotInlinable {
					return n.Text
				}
			}
		}
	}
	return ""
}
