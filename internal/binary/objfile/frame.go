package objfile

// Frame returns the size of a Go function's stack frame where it is largest, in bytes: by how much the function moves
// the stack pointer. The return address and the space for arguments of the caller do not count. ok is false for
// functions of other languages.
func (f *File) Frame(fn Function) (bytes int, ok bool) {
	t, _ := f.pclntab()
	if t == nil || fn.pcln <= 0 || fn.pcln > t.count {
		return 0, false
	}
	h, ok := t.header(fn.pcln - 1)
	if !ok {
		return 0, false
	}
	most, ok := h.maxValue(h.field(pclnStack))
	return int(most), ok
}
