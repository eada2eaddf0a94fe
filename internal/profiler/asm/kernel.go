package asm

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// kernelName is what addresses of the kernel are that no symbol is known of.
const kernelName = "[kernel]"

// kernel are the functions of the kernel, as far as it tells.
type kernel struct {
	symbols []kernelSymbol // in the order of addresses
}

type kernelSymbol struct {
	addr uint64
	name string
}

// kernelSymbols reads the symbols of the kernel once per process: there are some hundred thousand.
var kernelSymbols = sync.OnceValue(readKernel)

// readKernel reads /proc/kallsyms. Who may not see addresses there sees zeros, and gets no symbols.
func readKernel() *kernel {
	text, err := os.ReadFile("/proc/kallsyms")
	if err != nil {
		return &kernel{}
	}
	return parseKernel(string(text))
}

// parseKernel reads lines of address, type and name; the name of a module may follow.
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

// find is the symbol that an address is behind.
func (k *kernel) find(addr uint64) (name string, entry uint64) {
	i, ok := slices.BinarySearchFunc(k.symbols, addr, func(s kernelSymbol, addr uint64) int { return cmp.Compare(s.addr, addr) })
	if !ok {
		i--
	}
	if i < 0 {
		return kernelName, 0
	}
	for i > 0 && k.symbols[i-1].addr == k.symbols[i].addr { // of several names the first
		i--
	}
	return k.symbols[i].name, k.symbols[i].addr
}
