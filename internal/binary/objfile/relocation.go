package objfile

import "debug/elf"

// relativeType returns the type of relocations that store an address of the file itself.
func relativeType(m elf.Machine) (kind uint32, ok bool) {
	switch m {
	case elf.EM_X86_64:
		return uint32(elf.R_X86_64_RELATIVE), true
	case elf.EM_AARCH64:
		return uint32(elf.R_AARCH64_RELATIVE), true
	case elf.EM_RISCV:
		return uint32(elf.R_RISCV_RELATIVE), true
	case elf.EM_PPC64:
		return uint32(elf.R_PPC64_RELATIVE), true
	case elf.EM_S390:
		return uint32(elf.R_390_RELATIVE), true
	case elf.EM_LOONGARCH:
		return uint32(elf.R_LARCH_RELATIVE), true
	}
	return 0, false
}

// relocate applies to data, the content of s, the relative relocations of the file. Some linkers do not store
// these addresses.
func (f elfFile) relocate(s section, data []byte) {
	kind, ok := relativeType(f.Machine)
	if !ok || f.Class != elf.ELFCLASS64 {
		return
	}
	const entry, word = 24, 8 // elf.Rela64
	for _, r := range f.sections() {
		if r.kind != elf.SHT_RELA {
			continue
		}
		table, err := r.all()
		if err != nil {
			continue
		}
		for ; len(table) >= entry; table = table[entry:] {
			at := f.ByteOrder.Uint64(table)
			if s.contains(at) && uint32(f.ByteOrder.Uint64(table[word:])) == kind && at-s.addr+word <= uint64(len(data)) {
				copy(data[at-s.addr:][:word], table[2*word:entry])
			}
		}
	}
}
