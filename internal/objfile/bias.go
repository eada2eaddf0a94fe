package objfile

import "debug/elf"

// Bias is what to subtract from an address of a process to get the one that the file
// was linked for, where the process has the file's bytes from pgoff on mapped at
// start, as in /proc/PID/maps and in perf's MMAP2 records. It is 0 for executables
// that are not position-independent. Differences are modulo 2⁶⁴.
func (f *File) Bias(start, pgoff uint64) uint64 {
	e, ok := f.format.(elfFile)
	if !ok {
		return 0
	}
	var found *elf.Prog
	for _, p := range e.Progs {
		// The mapping is of whole pages: it begins before the segment, or with huge
		// pages somewhere in it.
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
