package mem

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestLoopEnds: where a call is added, and which variables live until then.
func TestLoopEnds(t *testing.T) {
	const head = "package p\n\nimport \"testing\"\n\n"
	for _, c := range []struct{ name, body, want string }{
		{"range", "func BenchmarkX(b *testing.B) {\n\tm := build()\n\tfor range b.N {\n\t\tuse(m)\n\t}\n}", "}; b.TareLoopEnd(); tareruntime.KeepAlive(m);\n}"},
		{"three parts", "func BenchmarkX(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {}\n}", "i++ {}; b.TareLoopEnd();\n}"},
		{"b.Loop", "func BenchmarkX(b *testing.B) { x, _ := f(); for b.Loop() {} }", "{}; b.TareLoopEnd(); tareruntime.KeepAlive(x); }"},
		{"what follows is not alive yet", "func BenchmarkX(b *testing.B) { for range b.N {}; x := 1; _ = x }", "{}; b.TareLoopEnd();; x := 1; _ = x }"},
		{"the last of two", "func BenchmarkX(b *testing.B) { for range b.N {}\nfor range b.N {} }", "range b.N {}\nfor range b.N {}; b.TareLoopEnd(); }"},
		{"branches", "func BenchmarkX(b *testing.B) { if f() { for range b.N {} } else { for range b.N {} } }", "{ for range b.N {}; b.TareLoopEnd(); } else { for range b.N {}; b.TareLoopEnd(); } }"},
		{"a switch", "func BenchmarkX(b *testing.B) { switch v := f(); v {\ncase 1:\n\tfor range b.N {}\n} }", "for range b.N {}; b.TareLoopEnd(); tareruntime.KeepAlive(v);\n} }"},
		{"a count", "func BenchmarkX(b *testing.B) { n := int64(b.N) / 2; for i := int64(0); i < n; i++ {} }", "i++ {}; b.TareLoopEnd(); tareruntime.KeepAlive(n); }"},
		{"a slice is no count", "func BenchmarkX(b *testing.B) { out := make([]int, b.N); for range b.N {}; for range out {} }", "for range b.N {}; b.TareLoopEnd(); tareruntime.KeepAlive(out);; for range out {} }"},
		{"an endless loop", "func BenchmarkX(b *testing.B) { i := 0; for { if i++; i > b.N { break } } }", "break } }; b.TareLoopEnd(); tareruntime.KeepAlive(i); }"},
		{"a loop of loops", "func BenchmarkX(b *testing.B) { for _, s := range sizes { for range b.N {} } }", "for range b.N {}; b.TareLoopEnd(); tareruntime.KeepAlive(s); } }"},
		{"a label", "func BenchmarkX(b *testing.B) {\nL:\n\tfor range b.N { break L }\n}", "break L }; b.TareLoopEnd();\n}"},
		{"parallel", "func BenchmarkX(b *testing.B) { m := f(); b.RunParallel(func(pb *testing.PB) { for pb.Next() { m() } }) }", "} }); b.TareLoopEnd(); tareruntime.KeepAlive(m); }"},
		{"goroutines", "func BenchmarkX(b *testing.B) { c := f(); go func() { for range b.N { c() } }(); wait() }", "}(); wait(); b.TareLoopEnd(); tareruntime.KeepAlive(c); }"},
		{"sub-benchmark", "func BenchmarkX(b *testing.B) { m := f(); b.Run(\"x\", func(b *testing.B) { k := m(); for range b.N {} }) }", "for range b.N {}; b.TareLoopEnd(); tareruntime.KeepAlive(k); }) }"},
		{"a helper", "func helper(b *testing.B, m map[int]int, _ int) { for range b.N {} }", "{}; b.TareLoopEnd(); tareruntime.KeepAlive(m); }"},
		{"b passed", "func BenchmarkX(b *testing.B) { m := f(); helper(b, m) }", "helper(b, m); tareruntime.KeepAlive(m); }"},
		{"hidden by a type", "func BenchmarkX(b *testing.B) { x := f(); y := x; { type x int; for range b.N {} }; _ = y }", "for range b.N {}; b.TareLoopEnd(); tareruntime.KeepAlive(y); }; _ = y }"},
		{"a constant", "func BenchmarkX(b *testing.B) { const n = 1 << 100; var v int; for range b.N { v++ } }", "v++ }; b.TareLoopEnd(); tareruntime.KeepAlive(v); }"},
		{"a return in the loop", "func BenchmarkX(b *testing.B) { for i := 0; i < b.N; { m := f(); for range m { if i++; i >= b.N { return } } } }", "{ b.TareLoopEnd(); tareruntime.KeepAlive(i); tareruntime.KeepAlive(m); return } } }; b.TareLoopEnd(); }"},
		{"a return in the first of two", "func BenchmarkX(b *testing.B) { for range b.N { if f() { return } }; for range b.N {} }", "{ if f() { b.TareLoopEnd(); return } }; for range b.N {}; b.TareLoopEnd(); }"},
		{"a return before the loop", "func BenchmarkX(b *testing.B) { if f() { return }; for range b.N { func() { return }() } }", "{ if f() { return }; for range b.N { func() { return }() }; b.TareLoopEnd(); }"},
		{"a return with a value", "func f(b *testing.B) (m int) { for range b.N { switch m { case 1: return 2 }; m++ }; return m }", "case 1: b.TareLoopEnd(); tareruntime.KeepAlive(m); return 2 }; m++ }; b.TareLoopEnd(); tareruntime.KeepAlive(m);; return m }"},
		{"returned", "func f(b *testing.B) int { return b.N }", ""},
		{"no benchmark", "func f(b *B) { for range b.N {} }", ""},
		{"without a name", "func f(_ *testing.B) { for range 3 {} }", ""},
	} {
		got := addLoopEnds(head + c.body)
		if c.want == "" {
			if got != head+c.body {
				t.Errorf("%s: changed to\n%s", c.name, got)
			}
			continue
		}
		if !strings.HasSuffix(got, c.want) {
			t.Errorf("%s:\n%s\nwant at the end\n%s", c.name, got, c.want)
		}
		if strings.Count(got, "\n") != strings.Count(head+c.body, "\n") {
			t.Errorf("%s: a line has moved", c.name)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", got, 0); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
		if alive := strings.Contains(got, ".KeepAlive"); alive != strings.Contains(got, `import tareruntime "runtime"`) {
			t.Errorf("%s: package runtime imported without use, or used without import:\n%s", c.name, got)
		}
	}
}

// TestLoopEndsNames: package testing by other names, and a file that has the name of the import already.
func TestLoopEndsNames(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"package p; import tt \"testing\"; func f(b *tt.B) { for range b.N {} }", "b.TareLoopEnd()"},
		{"package p; import . \"testing\"; func f(b *B) { for range b.N {} }", "b.TareLoopEnd()"},
		{"package p; import \"testing\"; var tareruntime int; func f(b *testing.B) { x := 1; for range b.N {} }", "; tareruntime2.KeepAlive(x)"},
	} {
		if got := addLoopEnds(c.text); !strings.Contains(got, c.want) {
			t.Errorf("%s\nbecame %s", c.text, got)
		}
	}
	if broken := "package p; import \"testing\"; func f(b *testing.B) { for range b.N {"; addLoopEnds(broken) != broken {
		t.Error("a file that does not parse was changed")
	}
}
