// Package compiled compares what the compiler said about two sides of a benchmark: notes, code sizes, stack frames and
// build settings, function by function.
//
//	d := compiled.Diff(old, new, compiled.Options{})
//	for _, f := range d.Functions {
//		for _, c := range f.Changes {
//			fmt.Println(f.New.Name, c)
//		}
//	}
//
// # How functions are paired
//
// By package and name; those without a partner by the lines of their bodies, if at least half of them are the same, also
// in another package. Closures are paired within paired functions, by their text, because their numbers change when one
// is added before them. Then come the remaining ones in order.
//
// # How notes are compared
//
// Two notes are the same if kind and message are. A message has no positions, no numbers of temporary variables and no
// numbers of closures, and functions that were renamed count as the same. Line numbers never count. Of several equal notes of a function the
// ones on lines of the same text are paired first, then those at the same distance from the declaration, then the others
// in order. What is left is lost or gained. A function that could be inlined and cannot any more is one change.
//
// A note is about the source of a function. What was executed may be another copy of it, inlined elsewhere, to which the
// note does not apply. With [Options.Old] and [Options.New], only changes of copies that were executed are listed.
package compiled
