package listing

import (
	"regexp"
	"strings"
	"testing"
)

func TestPanics(t *testing.T) {
	for name, want := range map[string]string{
		"runtime.panicBounds":       "bounds",
		"runtime.panicIndex":        "bounds",
		"runtime.panicSliceAcapU":   "bounds",
		"runtime.goPanicIndex":      "bounds",
		"runtime.goPanicSlice3Alen": "bounds",
		"runtime.panicExtendIndex":  "bounds",
		"runtime.panicdivide":       "division",
		"runtime.panicshift":        "shift",
		"runtime.panicdottypeE":     "type",
		"runtime.panicnildottype":   "type",
		"runtime.panicwrap":         "nil",
		"runtime.panicmem":          "nil",
		"runtime.panicmakeslicelen": "length",
		"runtime.morestack_noctxt":  "stack",
		"runtime.gopanic":           "", // somebody's own: not a check
		"runtime.mallocgc":          "",
		"example.com/m.panicIndex":  "",
		"":                          "",
	} {
		if got := panics(name); got != want {
			t.Errorf("panics(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestChecks: a branch is a check if all that is behind it ends in a panic. Its jump is
// not drawn; one to other code is.
func TestChecks(t *testing.T) {
	p := newProgram("f", 0x1000).inc(500)
	p.jump(0x75, 5)                                 // to a panic, by way of a jump
	p.jump(0x75, 7)                                 // to the stack's growth
	p.jump(0x75, 8, 500)                            // to another call
	p.ret()                                         // 4
	p.inc().jump(0xeb, 9)                           // 5, 6
	p.call(0x9000, "runtime.morestack_noctxt")      // 7
	p.call(0x9100, "example.com/m.slow")            // 8
	p.inc().call(0x9200, "runtime.panicdivide")     // 9, 10
	p.inst([]byte{0xff, 0xe0}).jump(0xeb, 11).ret() // 11: JMP AX
	text := textOf(t, mustNew(t, asmOf(p.done(1)), Config{Margin: 50}), Options{UTF8: true})
	text = regexp.MustCompile(" +").ReplaceAllString(text, " ")
	for _, want := range []string{
		"\n 0x1003 JNE 0x100a division check",
		"\n 0x1005 JNE 0x100f stack check",
		"█ ╭── 0x1007 JNE 0x1014 ‹",
		"╰┼→ 0x1014 CALL example.com/m.slow(SB)\n",
		"CALL runtime.panicdivide(SB) division panic",
		"JMP AX indirect jump",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestSkid: what stands out is marked, unless the event is precise.
func TestSkid(t *testing.T) {
	build := func() *Listing {
		p := newProgram("f", 0x1000).inc(10).inc(400).inc(390).inc(1).inc(395)
		for range 40 { // so that none has a tenth of all
			p.inc(200)
		}
		return mustNew(t, asmOf(p.ret().done(1)), Config{})
	}
	marked := func(l *Listing) string {
		var out []byte
		for i := range 7 {
			c := byte('-')
			if l.skids(l.regions[0], i) {
				c = '+'
			}
			out = append(out, c)
		}
		return string(out)
	}
	l := build()
	if got := marked(l); got != "-+--+--" {
		t.Errorf("marked %s, want those that stand out from the one before", got)
	}
	l.asm.Events[0].Precise = true
	if got := marked(l); got != "-------" {
		t.Errorf("precise, and marked %s", got)
	}
}

func TestPlaces(t *testing.T) {
	for path, want := range map[string]string{
		"/usr/local/go/src/sort/zsortfunc.go":         "sort/zsortfunc.go",
		"/root/go/pkg/mod/github.com/x/y@v1.2.3/a.go": "github.com/x/y@v1.2.3/a.go",
		"/home/me/src/project/deep/a.go":              "deep/a.go",
		"internal/bytealg/indexbyte_amd64.s":          "bytealg/indexbyte_amd64.s",
		"a.go":                                        "a.go",
		"":                                            "",
		"/a.go":                                       "/a.go",
		"/usr/lib/go/src/internal/bytealg/indexbyte_amd64.s": "internal/bytealg/indexbyte_amd64.s",
	} {
		if got := shortFile(path); got != want {
			t.Errorf("shortFile(%q) = %q, want %q", path, got, want)
		}
	}
	for name, want := range map[string]string{
		"github.com/x/y.(*T).m":                     "y.(*T).m",
		"slices.insertionSort[go.shape.int]":        "slices.insertionSort[go.shape.int]",
		"a.com/b.F[a.com/c/d.T,go.shape.struct {}]": "b.F[a.com/c/d.T,go.shape.struct {}]",
		"main": "main",
	} {
		if got := shortName(name); got != want {
			t.Errorf("shortName(%q) = %q, want %q", name, got, want)
		}
	}
}
