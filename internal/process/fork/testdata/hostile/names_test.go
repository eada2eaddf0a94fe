package hostile

import "testing"

// nasty are names of sub-benchmarks, each in a regexp's, a parser's or a
// terminal's way.
var nasty = []string{
	"a", "a", "a", "a#01", "a#03", "", "", "#00", " ", "a b", "a_b", "tab\there", "new\nline", "cr\rcr",
	"a|b", "a|c", "(a)", "(", ")", "[a]", "[", "]", "[[]", "a/b", "a/", "/a", "a//b", "a/b/c", "/", "//",
	"^a$", "$", ".*", "a.b", "axb", `\`, `\d`, `\/`, "{2}", "a+", "a*", "a?", "(?i)A", "A",
	"é", "日本", "\u2028", "\u00a0", "\x00", "\xff", "👍", "\x1b[31m",
	"a-2", "a-1", "a-", "-2", "k=v", "size=1<<10/kind=a|b", "100%", "MB/s", `'q"`, "`",
	"--- FAIL: BenchmarkX", "Benchmark", "BenchmarkInner-2", "100 ns/op", "PASS", "a,b", "~", "!", "🇩🇪 ‮x",
}

func BenchmarkNames(b *testing.B) {
	for _, name := range nasty {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				work(1)
			}
		})
	}
}

func BenchmarkNames_2(b *testing.B) { b.Run("a", leaf) }
func BenchmarkNamesÜ(b *testing.B)  { b.Run("a", leaf); b.Run("ab", leaf); b.Run("abc", leaf) }
func Benchmark(b *testing.B)        { leaf(b) }
func Benchmark1(b *testing.B)       { leaf(b) }
func Benchmark11(b *testing.B)      { leaf(b) }
func Benchmark世界(b *testing.B)      { leaf(b) }

func leaf(b *testing.B) {
	for range b.N {
		work(1)
	}
}

// Deep has names on several levels, and levels that measure nothing.
func BenchmarkDeep(b *testing.B) {
	for _, x := range []string{"x", "y"} {
		b.Run(x, func(b *testing.B) {
			b.Run("1", leaf)
			b.Run("2", func(b *testing.B) { b.Run("x", leaf) })
		})
	}
	b.Run("x/1", leaf) // Deep/x/1#01
}
