package asm

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// kernelName is the name for kernel addresses without a symbol.
const kernelName = "[kernel]"

// kernel contains the kernel's symbols.
type kernel struct {
	symbols []kernelSymbol // in order of address
}

type kernelSymbol struct {
	addr uint64
	name string
}

// kernelSymbols returns the symbols of the kernel. It reads them once per process: there are some hundred thousand.
var kernelSymbols = sync.OnceValue(readKernel)

// readKernel reads /proc/kallsyms. Without the permission to see addresses it returns no symbols.
func readKernel() *kernel {
	text, err := os.ReadFile("/proc/kallsyms")
	if err != nil {
		return &kernel{}
	}
	return parseKernel(string(text))
}

// parseKernel parses lines of address, type and name, which the name of a module may follow.
func parseKernel(text string) *kernel {
	k := &kernel{}
	for line := range strings.Lines(text) {
		hex, rest, _ := strings.Cut(line, " ")
		typ, name, ok := strings.Cut(rest, " ")
		if !ok || len(typ) != 1 || !strings.Contains("tTwW", typ) {
			continue
		}
		if end := strings.IndexAny(name, " \t\n"); end >= 0 {
			name = name[:end]
		}
		if addr, err := strconv.ParseUint(hex, 16, 64); err == nil && addr != 0 {
			k.symbols = append(k.symbols, kernelSymbol{addr, name})
		}
	}
	byAddr := func(a, b kernelSymbol) int { return cmp.Compare(a.addr, b.addr) }
	if !slices.IsSortedFunc(k.symbols, byAddr) {
		slices.SortStableFunc(k.symbols, byAddr)
	}
	return k
}

// find returns the symbol before or at an address.
func (k *kernel) find(addr uint64) (name string, entry uint64) {
	i, ok := slices.BinarySearchFunc(k.symbols, addr, func(s kernelSymbol, addr uint64) int { return cmp.Compare(s.addr, addr) })
	if !ok {
		i--
	}
	if i < 0 {
		return kernelName, 0
	}
	for i > 0 && k.symbols[i-1].addr == k.symbols[i].addr { // the first of several names
		i--
	}
	return k.symbols[i].name, k.symbols[i].addr
}
