//go:build !race

package disasm

const sample = 1
