package objfile

import (
	"debug/dwarf"
	"fmt"
)

// debugSource returns the source information of a function from the debug data. It reads only the
// function's compilation unit.
func (f *File) debugSource(fn Function) (Source, error) {
	d, err := f.dwarf()
	if err != nil {
		return Source{}, err
	}
	f.unitCache.Lock()
	defer f.unitCache.Unlock()
	s, err := f.unitSource(d, fn)
	if err != nil {
		return Source{}, fmt.Errorf("%s: %s: debug data: %w", f.path, fn.Name, err)
	}
	if len(s.Lines) == 0 {
		return Source{}, fmt.Errorf("%s: %s: %w of this function", f.path, fn.Name, ErrNoDebugData)
	}
	return s, nil
}

func (f *File) unitSource(d *dwarf.Data, fn Function) (Source, error) {
	u, err := f.unitOf(d, fn.Entry)
	if err != nil {
		return Source{}, err
	}
	s := Source{Lines: u.lines(fn.Entry, fn.End)}
	offset, ok := u.function(fn.Entry)
	if !ok {
		return s, nil
	}
	r := d.Reader()
	r.Seek(offset)
	top, err := r.Next()
	if err != nil || top == nil {
		return s, err
	}
	w := inlineWalk{d: d, unit: u, fn: fn}
	s.File, s.Line = w.declared(top)
	if top.Children {
		err = w.read(r)
	}
	s.Inlines = w.list
	return s, err
}

// inlineWalk collects the functions inlined into a function. In the debug data, an inlined function follows
// the one it was inlined into.
type inlineWalk struct {
	d    *dwarf.Data
	unit *unit
	fn   Function
	list []Inline
}

func (w *inlineWalk) read(r *dwarf.Reader) error {
	for depth := 1; depth > 0; {
		e, err := r.Next()
		if err != nil || e == nil {
			return err
		}
		switch {
		case e.Tag == 0:
			depth--
			continue
		case e.Tag == dwarf.TagInlinedSubroutine:
			if err := w.add(e); err != nil {
				return err
			}
		case e.Tag == dwarf.TagSubprogram || e.Tag == dwarf.TagClassType || e.Tag == dwarf.TagStructType:
			r.SkipChildren() // declared inside, but its code is elsewhere
			continue
		}
		if e.Children {
			depth++
		}
	}
	return nil
}

func (w *inlineWalk) add(e *dwarf.Entry) error {
	ranges, err := w.d.Ranges(e)
	if err != nil {
		return err
	}
	in := Inline{Name: w.name(e)}
	in.CallFile, in.CallLine = w.place(e, dwarf.AttrCallFile, dwarf.AttrCallLine)
	for _, x := range ranges {
		if from, to := max(x[0], w.fn.Entry), min(x[1], w.fn.End); from < to {
			in.Ranges = append(in.Ranges, [2]uint64{from, to})
		}
	}
	if len(in.Ranges) > 0 {
		w.list = append(w.list, in)
	}
	return nil
}

// name returns the name of an entry, or of the entry that it refers to, or "?".
func (w *inlineWalk) name(e *dwarf.Entry) string {
	if at := w.origin(e, dwarf.AttrName); at != nil {
		name, _ := at.Val(dwarf.AttrName).(string)
		return name
	}
	return "?"
}

// declared returns where a function is declared.
func (w *inlineWalk) declared(e *dwarf.Entry) (file string, line int) {
	if at := w.origin(e, dwarf.AttrDeclLine); at != nil {
		return w.place(at, dwarf.AttrDeclFile, dwarf.AttrDeclLine)
	}
	return "", 0
}

// origin returns the entry that has an attribute: e, the inlined function it refers to, or its declaration.
func (w *inlineWalk) origin(e *dwarf.Entry, attr dwarf.Attr) *dwarf.Entry {
	const steps = 8 // two in practice
	for range steps {
		if e.Val(attr) != nil {
			return e
		}
		to, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			to, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
		}
		if !ok {
			return nil
		}
		r := w.d.Reader()
		r.Seek(to)
		next, err := r.Next()
		if err != nil || next == nil {
			return nil
		}
		e = next
	}
	return nil
}

// place returns the file and line of two attributes. The file is an index of the unit's line table.
func (w *inlineWalk) place(e *dwarf.Entry, file, line dwarf.Attr) (string, int) {
	n, ok := e.Val(file).(int64)
	at, _ := e.Val(line).(int64)
	if !ok || n < 0 || n >= int64(len(w.unit.files)) || w.unit.files[n] == nil {
		return "", int(at)
	}
	return w.unit.files[n].Name, int(at)
}
