package objfile

import "debug/elf"

// Bias returns the difference between the addresses of a process and those for which the file was linked, modulo 2⁶⁴.
// The process has the file mapped at start from offset pgoff on, as in /proc/PID/maps and perf's MMAP2 records. It is
// 0 for executables that are not position-independent.
func (f *File) Bias(start, pgoff uint64) uint64 {
	e, ok := f.format.(elfFile)
	if !ok {
		return 0
	}
	var found *elf.Prog
	for _, p := range e.Progs {
		// Mappings consist of whole pages: one begins before its segment, or inside it with huge pages.
		if p.Type != elf.PT_LOAD || pgoff >= p.Off+p.Filesz || pgoff < p.Off-p.Off%max(p.Align, 1) {
			continue
		}
		if found == nil || found.Flags&elf.PF_X == 0 && p.Flags&elf.PF_X != 0 {
			found = p
		}
	}
	if found == nil {
		return 0
	}
	return start - pgoff - (found.Vaddr - found.Off)
}

// PositionIndependent reports whether an ELF file can be loaded at any address. It is false for other formats.
func (f *File) PositionIndependent() bool {
	e, ok := f.format.(elfFile)
	return ok && e.Type == elf.ET_DYN
}
