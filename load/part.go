package load

// onlyKind returns the index of the kind of all operations, or -1 if there are several.
// GET/first-byte is the name of a part of GET, which is never sent by itself.
func onlyKind(kinds []string) int {
	only := -1
	for i, name := range kinds {
		if IsPart(name) {
			continue
		}
		if only >= 0 {
			return -1
		}
		only = i
	}
	return only
}

// SubUntil is Sub for an operation that ended at to, a time of Now.
func (t *Timer) SubUntil(kind int, from, to int64, err error) {
	if w := t.w; w != nil && !w.e.sealed.Load() {
		w.record(kind, from, max(from, to), false, err != nil && Class(err) != ClassNotFound)
		w.part.see(kind, to-from)
	}
}
