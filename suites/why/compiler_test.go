package why

import (
	"debug/buildinfo"
	"fmt"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/binary/samecode"
)

// proveInlining: before, the caller has the callee's code; after, it calls it.
func proveInlining(t *testing.T, c compiled) {
	before, after := c.codeOf[c.Proof.Caller], c.codeNow[c.Proof.Caller]
	if len(before.text) == 0 || len(after.text) == 0 {
		t.Fatalf("no code of %s", c.Proof.Caller)
	}
	if c.Proof.Indirect {
		if before.indirect != 0 || after.indirect == 0 {
			t.Errorf("%d and %d calls through a variable", before.indirect, after.indirect)
		}
		return
	}
	callee := modulePath + "/" + c.Package + "." + c.Proof.Callee
	if n, m := before.count(callee), after.count(callee); n != 0 || m == 0 {
		t.Errorf("%s calls %s at %d and %d places", c.Proof.Caller, c.Proof.Callee, n, m)
	}
	if !strings.Contains(c.base.notes(t, "-m"), "inlining call to "+c.Proof.Callee+"\n") {
		t.Errorf("%s is not inlined before", c.Proof.Callee)
	}
}

// proveEscape: the compiler says after, at the place, that it moved the variable, and says so nowhere in that function before.
func proveEscape(t *testing.T, c compiled) {
	at := fmt.Sprintf("%s:%d:", c.Place.File, c.line)
	if !hasNote(c.changed.notes(t, "-m"), at, c.Proof.Escapes) {
		t.Errorf("the compiler does not say %q at %s", c.Proof.Escapes, at)
	}
	if hasNote(c.base.notes(t, "-m"), c.Place.File, c.Proof.Escapes) {
		t.Errorf("the compiler says %q before", c.Proof.Escapes)
	}
	proveAllocations(t, c)
}

// hasNote reports whether the compiler says a text at a position, which may be a prefix of one.
func hasNote(notes, at, text string) bool {
	for line := range strings.Lines(notes) {
		if strings.Contains(line, at) && strings.HasSuffix(line, ": "+text+"\n") {
			return true
		}
	}
	return false
}

// proveBounds: the place's function is one that runs as a whole and is not inlined; the compiler leaves a check at the place,
// which it does not before, and the code has as many more calls for a failed one.
func proveBounds(t *testing.T, c compiled) {
	before, after := c.codeOf[c.Place.Func], c.codeNow[c.Place.Func]
	caller := c.codeNow[c.Benchmark]
	if caller.count(modulePath+"/"+c.Package+"."+c.Place.Func) == 0 {
		t.Errorf("%s does not call %s: the copy that runs is another one", c.Benchmark, c.Place.Func)
	}
	if n, m := before.count("runtime.panic"), after.count("runtime.panic"); m-n < c.Proof.Checks {
		t.Errorf("%d and %d checks in the code, want %d more", n, m, c.Proof.Checks)
	}
	const flags = "-d=ssa/check_bce/debug=1"
	if at := fmt.Sprintf("%s:%d:", c.Place.File, c.line); !strings.Contains(c.changed.notes(t, flags), at) {
		t.Errorf("no check at %s", at)
	}
	n, m := strings.Count(c.base.notes(t, flags), "Found IsInBounds"), strings.Count(c.changed.notes(t, flags), "Found IsInBounds")
	if m <= n {
		t.Errorf("%d and %d checks of indices in the package", n, m)
	}
}

// proveFlags: the binaries say that they were built otherwise, or the collector runs more often.
func proveFlags(t *testing.T, c compiled) {
	if c.Proof.Collections > 0 {
		const n = 300
		before, after := c.base.counts(t, n).collections, c.changed.counts(t, n).collections
		if after < c.Proof.Collections*max(before, 1) {
			t.Errorf("%v and %v collections, want %v times as many", before, after, c.Proof.Collections)
		}
		return
	}
	x, y := setting(t, c.before, c.Proof.Setting), setting(t, c.after, c.Proof.Setting)
	if x == y || len(c.Differs) == 0 {
		t.Errorf("%s is %q and %q, %d functions differ", c.Proof.Setting, x, y, len(c.Differs))
	}
}

func setting(t *testing.T, binary, key string) string {
	t.Helper()
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// proveLayout: the code is the same and lies elsewhere.
func proveLayout(t *testing.T, c compiled) {
	needSameCode(t, c)
	for name, f := range c.codeOf {
		if g, ok := c.codeNow[name]; ok && g.entry != f.entry {
			return
		}
	}
	t.Error("nothing was moved")
}

// proveNone: the code is the same, at the same place.
func proveNone(t *testing.T, c compiled) {
	needSameCode(t, c)
	for name, f := range c.codeOf {
		if g := c.codeNow[name]; g.entry != f.entry {
			t.Errorf("%s is at %#x and %#x", name, f.entry, g.entry)
		}
	}
}

func needSameCode(t *testing.T, c compiled) {
	t.Helper()
	for _, name := range c.Differs {
		if _, ok := c.codeOf[name]; ok {
			t.Errorf("the seed says that the code of %s differs", name)
		}
	}
	if x, y := digest(t, c.before, c.Seed), digest(t, c.after, c.Seed); x == "" || x != y {
		t.Errorf("digests %q and %q", x, y)
	}
}

func digest(t *testing.T, binary string, s *Seed) string {
	t.Helper()
	b, err := samecode.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	return b.Digest(modulePath+"/"+s.Package, s.Benchmark)
}
