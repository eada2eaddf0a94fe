package disasm

import (
	"maps"
	"runtime"
	"strings"
	"testing"
)

// own are the architectures that a program has without AddAll.
var own map[string]decoder

func init() {
	own = maps.Clone(decoders)
	AddAll()
}

// TestDecoders: a program has the decoder of its own processor. Of another one it says which program has it.
func TestDecoders(t *testing.T) {
	if len(own) == 0 || own[runtime.GOARCH] == nil {
		t.Skipf("%s has no decoder", runtime.GOARCH)
	}
	all := decoders
	defer func() { decoders = all }()
	decoders = own
	code := map[string][]byte{"386": {0xc3}, "amd64": {0xc3}, "arm64": {0xc0, 0x03, 0x5f, 0xd6}}
	missing := 0
	for _, arch := range Archs() {
		insts, err := Func(arch, 0x1000, code[arch], nil, Go, nil)
		if own[arch] == nil {
			missing++
			if err == nil || !strings.Contains(err.Error(), arch+" is disassembled here by cmd/tare-full only") {
				t.Errorf("%s: %+v, %v", arch, insts, err)
			}
		} else if err != nil || len(insts) != 1 || insts[0].Flow != Return {
			t.Errorf("%s: %+v, %v", arch, insts, err)
		}
	}
	if missing == 0 {
		t.Error("the program has all decoders at first")
	}
}
