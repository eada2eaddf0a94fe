package listing

// frame is a function that an instruction is in: the function of the symbol, or one
// that was inlined into it.
type frame struct {
	name string
	file string
	line int // of this function: the call of the next inner one, or the instruction's own; 0: not known
}

// frames returns the functions that instruction i is in, the outermost first. There is at
// least one.
func (f *function) frames(i int) []frame {
	at := f.at[i]
	out := make([]frame, 0, len(at.chain)+1)
	name := f.rec.Name
	for _, c := range at.chain {
		in := &f.rec.Inlines[c]
		out = append(out, frame{name: name, file: in.CallFile, line: in.CallLine})
		name = in.Name
	}
	return append(out, frame{name: name, file: at.file, line: at.line})
}

// innermost returns the name of the innermost function that instruction i is in.
func (f *function) innermost(i int) string {
	if c := f.at[i].chain; len(c) > 0 {
		return f.rec.Inlines[c[len(c)-1]].Name
	}
	return f.rec.Name
}
