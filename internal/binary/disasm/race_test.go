//go:build race

package disasm

// sample is which functions of a big program are disassembled: each n-th. The race
// detector makes that ten times as slow.
const sample = 16
