package disasm

import (
	"fmt"
	"slices"
	"strings"
)

// decoders are those that the program has, by architecture as in GOARCH. They change only before main calls anything else.
var decoders = map[string]decoder{}

// AddAll adds the decoders of all architectures. A program has at first only that of the processor for which it was built:
// each takes 200 kB. Call AddAll at the start of main or of a test, before any goroutine calls Func.
func AddAll() {
	addX86()
	addARM64()
}

func addX86() {
	decoders["386"], decoders["amd64"] = x86{mode: 32}, x86{mode: 64}
}

func addARM64() { decoders["arm64"] = arm64{} }

// Archs returns the architectures that Func supports in a program that has called AddAll, as in GOARCH.
func Archs() []string { return []string{"386", "amd64", "arm64"} }

func decoderFor(arch string) (decoder, error) {
	if d := decoders[arch]; d != nil {
		return d, nil
	}
	if slices.Contains(Archs(), arch) {
		return nil, fmt.Errorf("machine code of %s is disassembled here by cmd/tare-full only, because its decoder is large: go install github.com/tarebench/tare/cmd/tare-full@latest", arch)
	}
	return nil, fmt.Errorf("cannot disassemble machine code of %q; supported: %s", arch, strings.Join(Archs(), ", "))
}
