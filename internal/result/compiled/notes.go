package compiled

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
)

// renames are functions of the old side that have another name on the new one, by package and old name.
type renames map[name]string

func newRenames(old, new *compiledSide) renames {
	out := renames{}
	for i, j := range old.match {
		if f := &old.Functions[i]; j >= 0 && depthOf(f.Name) == 0 && f.Name != new.Functions[j].Name {
			out[name{f.Pkg, f.Name}] = new.Functions[j].Name
		}
	}
	return out
}

// text returns a message of the old side with functions of its package as they are called on the new one. Closures follow
// their functions.
func (r renames) text(pkg, text string) string {
	if len(r) == 0 {
		return text
	}
	top, closure := text, ""
	if i := strings.Index(text, closureMark); i > 0 {
		top, closure = text[:i], text[i:]
	}
	if to, ok := r[name{pkg, top}]; ok {
		return to + closure
	}
	return text
}

// key identifies a note.
type key struct {
	kind, text string
	inlined    string // file of the code, if it was inlined
}

func keyOf(n *record.CompilerNote, text string) key {
	k := key{kind: n.Kind, text: text}
	if n.Kind == record.NoteNotInlinable || n.Kind == record.NoteCopy { // with figures, which change with every line
		k.text = ""
	}
	if last := len(n.Inlined) - 1; last >= 0 {
		k.inlined = n.Inlined[last].File
	}
	return k
}

// noteChanges returns the notes that were lost, gained and changed.
func noteChanges(old, new *record.CompiledFunction, names renames) []Change {
	olds, news := map[key][]int{}, map[key][]int{}
	var order []key
	partial := old.Partial || new.Partial
	for i := range old.Notes {
		if partial && !always(&old.Notes[i]) {
			continue
		}
		k := keyOf(&old.Notes[i], names.text(old.Pkg, old.Notes[i].Text))
		olds[k] = append(olds[k], i)
		order = append(order, k)
	}
	for j := range new.Notes {
		if partial && !always(&new.Notes[j]) {
			continue
		}
		k := keyOf(&new.Notes[j], new.Notes[j].Text)
		news[k] = append(news[k], j)
		order = append(order, k)
	}
	var lost, gained []*record.CompilerNote
	done := map[key]bool{}
	for _, k := range order {
		if done[k] {
			continue
		}
		done[k] = true
		is, js := unpaired(old, new, olds[k], news[k])
		for _, i := range is {
			lost = append(lost, &old.Notes[i])
		}
		for _, j := range js {
			gained = append(gained, &new.Notes[j])
		}
	}
	return joined(old, new, lost, gained)
}

// always reports whether a note is known of a function that is partial.
func always(n *record.CompilerNote) bool {
	switch n.Kind {
	case record.NoteInlinable, record.NoteNotInlinable, record.NoteInlined, record.NoteLeak, record.NoteDevirtualized, record.NotePGO:
		return true
	}
	return false
}

// unpaired pairs equal notes of a function, and returns those of which one side has more: first on lines of the same
// text, then at the same distance from the declaration, then in order.
func unpaired(old, new *record.CompiledFunction, is, js []int) (lost, gained []int) {
	is, js = slices.Clone(is), slices.Clone(js)
	same := []func(a, b *record.CompilerNote) bool{
		func(a, b *record.CompilerNote) bool {
			h := hashOf(old, a.Line-old.Line)
			return h != 0 && h == hashOf(new, b.Line-new.Line)
		},
		func(a, b *record.CompilerNote) bool { return a.Line-old.Line == b.Line-new.Line },
		func(a, b *record.CompilerNote) bool { return true },
	}
	for _, alike := range same {
		is = slices.DeleteFunc(is, func(i int) bool {
			k := slices.IndexFunc(js, func(j int) bool { return alike(&old.Notes[i], &new.Notes[j]) })
			if k < 0 {
				return false
			}
			js = slices.Delete(js, k, k+1)
			return true
		})
	}
	return is, js
}

// joined makes changes of lost and gained notes. Whether a function can be inlined is one change, and so is a value that
// escapes as another expression on a line of the same text or distance.
func joined(old, new *record.CompiledFunction, lost, gained []*record.CompilerNote) (out []Change) {
	for _, a := range lost {
		c := Change{Kind: kindOf(a), Old: a}
		k := slices.IndexFunc(gained, func(b *record.CompilerNote) bool {
			return kindOf(b) == c.Kind && (c.Kind == record.NoteInlinable || c.Kind == record.NoteEscape && a.Line-old.Line == b.Line-new.Line)
		})
		if k >= 0 {
			c.New = gained[k]
			gained = slices.Delete(gained, k, k+1)
		} else if a.Kind == record.NoteNotInlinable {
			continue // the other side says nothing about inlining, as with -l
		}
		out = append(out, c)
	}
	for _, b := range gained {
		if b.Kind == record.NoteNotInlinable {
			continue
		}
		out = append(out, Change{Kind: kindOf(b), New: b})
	}
	return out
}

// kindOf returns the kind of a note's change.
func kindOf(n *record.CompilerNote) string {
	if n.Kind == record.NoteNotInlinable {
		return record.NoteInlinable
	}
	return n.Kind
}
