package listing

import (
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/binary/disasm"
)

// notes returns the remarks at the right of a region's instructions; the mark of skid is
// the last, and left out if it has no glyph.
func (l *Listing) notes(r *region, g glyphs, numbers bool) map[int]string {
	out := map[int]string{}
	for i := r.from; i < r.to; i++ {
		var words []string
		if numbers && r.fn.at[i].line > 0 {
			words = append(words, strconv.Itoa(r.fn.at[i].line))
		}
		in := &r.fn.insts[i]
		switch in.Flow {
		case disasm.Branch:
			if what := r.fn.check(i); what != "" {
				words = append(words, what+" check")
			}
		case disasm.Call:
			if what := panics(r.fn.callee(i)); what != "" && what != stack {
				words = append(words, what+" panic")
			}
		case disasm.IndirectJump:
			words = append(words, "indirect jump")
		}
		if g.skid != "" && l.skids(r, i) {
			words = append(words, g.skid)
		}
		if len(words) > 0 {
			out[i] = strings.Join(words, "  ")
		}
	}
	return out
}

// skids reports whether an instruction is likely to be counted for another: the event is
// not precise, and the instruction has a notable share of its region, or stands out
// from the one before it.
func (l *Listing) skids(r *region, i int) bool {
	const (
		notable = 10 // one in so many of the region's samples
		step    = 4  // times the count of the instruction before
		few     = 10 // samples, which say nothing
	)
	n := r.fn.n(i)[0]
	switch {
	case l.asm.Events[0].Precise || n < few:
		return false
	case n >= (r.samples[0]+notable-1)/notable:
		return true
	case n < r.most/2 || i == 0:
		return false
	}
	return n/step >= r.fn.n(i - 1)[0]
}

// check returns what the branch at instruction i checks, if failing it ends the function's
// work; "" if it does not.
func (f *function) check(i int) string {
	if f.insts[i].Flow != disasm.Branch {
		return ""
	}
	to, ok := f.find(f.insts[i].Target)
	if !ok {
		return ""
	}
	return f.ends(to)
}

// callee returns the name of the function that a call leads to.
func (f *function) callee(i int) string {
	if f.insts[i].Flow != disasm.Call {
		return ""
	}
	return f.names[f.insts[i].Target]
}

// ends returns which check failed if the code at instruction i does nothing but
// end the function's work: it prepares a call that panics, or grows the stack.
func (f *function) ends(i int) string {
	const most = 12 // instructions that prepare the call
	for range most {
		if i >= len(f.insts) {
			return ""
		}
		switch in := &f.insts[i]; in.Flow {
		case disasm.Next:
			i++
		case disasm.Jump:
			to, ok := f.find(in.Target)
			if !ok {
				return ""
			}
			i = to
		case disasm.Call:
			return panics(f.callee(i))
		default:
			return ""
		}
	}
	return ""
}

const stack = "stack"

// panics returns what went wrong if a function of the runtime is called; "" if nothing
// did. The names are those of Go's runtime and of the compiler's ssagen.
func panics(name string) string {
	name, ok := strings.CutPrefix(name, "runtime.")
	if !ok {
		return ""
	}
	switch {
	case strings.HasPrefix(name, "morestack"):
		return stack
	case name == "panicdivide":
		return "division"
	case name == "panicshift":
		return "shift"
	case name == "panicoverflow":
		return "overflow"
	case strings.HasPrefix(name, "panicdottype"), name == "panicnildottype":
		return "type"
	case name == "panicmem", name == "panicmemAddr", name == "panicwrap":
		return "nil"
	case strings.HasPrefix(name, "panicmakeslice"), name == "panicunsafeslicelen":
		return "length"
	}
	name = strings.TrimPrefix(name, "goP")
	name = strings.TrimPrefix(name, "p")
	for _, p := range []string{"anicIndex", "anicSlice", "anicBounds", "anicExtend"} {
		if strings.HasPrefix(name, p) {
			return "bounds"
		}
	}
	return ""
}
