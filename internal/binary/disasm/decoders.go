package disasm

import (
	"fmt"
	"strings"
)

// decoderFor returns the decoder of an architecture, as in GOARCH.
func decoderFor(arch string) (decoder, error) {
	switch arch {
	case "386":
		return x86{mode: 32}, nil
	case "amd64":
		return x86{mode: 64}, nil
	case "arm64":
		return arm64{}, nil
	}
	return nil, fmt.Errorf("cannot disassemble machine code of %q; supported: %s", arch, strings.Join(Archs(), ", "))
}

// Archs returns the architectures that [Func] supports, as in GOARCH.
func Archs() []string { return []string{"386", "amd64", "arm64"} }
