package samecode

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// maxFunctions limits how many functions of a benchmark are read. One that reaches more has no digest.
const maxFunctions = 5000

// Digest returns a digest of a benchmark's machine code, which is the same in two binaries if the code is; see the package
// comment. pkg is the import path of its package, benchmark the name of its function. It is "" if the binary lacks the
// function, if its code is not known for certain, or if the limits are reached.
func (b *Binary) Digest(pkg, benchmark string) string {
	names := b.rootNames(pkg, benchmark)
	if len(names) == 0 {
		return ""
	}
	seen := map[string]bool{}
	for _, n := range names {
		seen[n] = true
	}
	h := sha256.New()
	for i := 0; i < len(names); i++ {
		x := b.function(names[i])
		if !x.readable {
			return ""
		}
		fmt.Fprintf(h, "%d %s %x\n", len(names[i]), names[i], x.sum)
		root := kindOf(names[i], pkg) == own
		for _, to := range x.callees {
			if k := kindOf(to, pkg); seen[to] || k == excluded || k == standard && !root {
				continue
			}
			seen[to] = true
			names = append(names, to)
		}
		if len(names) > maxFunctions {
			return ""
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// digested is the code of one function, or of several of one name.
type digested struct {
	readable bool
	sum      [sha256.Size]byte // of its instructions
	callees  []string
}

// function reads a function once, because many benchmarks call it.
func (b *Binary) function(name string) digested {
	x, ok := b.known[name]
	if ok || b.Limit > 0 && len(b.known) >= b.Limit {
		return x
	}
	if code, ok := b.instructions(name); ok {
		h := sha256.New()
		for _, k := range code.keys {
			fmt.Fprintf(h, "%d %s\n", len(k), k)
		}
		x = digested{readable: true, callees: code.callees}
		h.Sum(x.sum[:0])
	}
	b.known[name] = x
	return x
}
