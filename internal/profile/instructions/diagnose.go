package instructions

import (
	"errors"
	"os"
	"strings"
)

// Reasons why valgrind cannot run a binary.
var (
	errAVX512 = errors.New("valgrind cannot run the AVX-512 instructions that the code executes without asking for them; " +
		"--prof counter counts on the processor, where it has a counter")
	errInstruction = errors.New("valgrind cannot run an instruction that the code executes; " +
		"--prof counter counts on the processor, where it has a counter")
	errGOAMD64 = errors.New("valgrind's processor has no AVX-512, which the binary needs because it was built with GOAMD64=v4; " +
		"GOAMD64=v3 tare bench … counts other code, without it")
)

// Diagnose returns why valgrind cannot run the binary, by its messages and the end of the process's output. It returns
// nil if the process failed for another reason.
func (f *fork) Diagnose(tail string) error {
	if strings.Contains(tail, "This program can only be run on AMD64 processors with v4 microarchitecture support") {
		return errGOAMD64
	}
	text, err := os.ReadFile(f.log())
	if err != nil {
		return nil
	}
	_, bytes, found := strings.Cut(string(text), "unhandled instruction bytes: ")
	switch {
	case found && strings.HasPrefix(bytes, "0x62"): // the prefix of AVX-512
		return errAVX512
	case found:
		return errInstruction
	}
	return nil
}
