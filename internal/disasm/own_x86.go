//go:build 386 || amd64

package disasm

func init() { addX86() }
