package objfile

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
)

type elfFile struct{ *elf.File }

func (f elfFile) arch() string {
	little := f.ByteOrder == binary.ByteOrder(binary.LittleEndian)
	switch f.Machine {
	case elf.EM_X86_64:
		return "amd64"
	case elf.EM_386:
		return "386"
	case elf.EM_AARCH64:
		return "arm64"
	case elf.EM_ARM:
		return "arm"
	case elf.EM_RISCV:
		return "riscv64"
	case elf.EM_S390:
		return "s390x"
	case elf.EM_LOONGARCH:
		return "loong64"
	case elf.EM_PPC64:
		if little {
			return "ppc64le"
		}
		return "ppc64"
	case elf.EM_MIPS:
		return mips(f.Class == elf.ELFCLASS64, little)
	}
	return ""
}

func mips(wide, little bool) string {
	name := "mips"
	if wide {
		name += "64"
	}
	if little {
		name += "le"
	}
	return name
}

type machoFile struct{ *macho.File }

func (f machoFile) arch() string {
	switch f.Cpu {
	case macho.CpuAmd64:
		return "amd64"
	case macho.CpuArm64:
		return "arm64"
	}
	return ""
}

type peFile struct{ *pe.File }

func (f peFile) arch() string {
	switch f.Machine {
	case pe.IMAGE_FILE_MACHINE_AMD64:
		return "amd64"
	case pe.IMAGE_FILE_MACHINE_I386:
		return "386"
	case pe.IMAGE_FILE_MACHINE_ARM64:
		return "arm64"
	case pe.IMAGE_FILE_MACHINE_ARMNT:
		return "arm"
	}
	return ""
}
