package markdown

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/show/markdown/markdowntest"
)

func TestMarkdownQuotes(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Code("Fields/ASCII_x*"), "`Fields/ASCII_x*`"},
		{Code("a|b"), "`a`<code>&#124;</code>`b`"},
		{Code("a`b"), "``a`b``"},
		{Code("`b"), "`` `b ``"},
		{Code("#ff0000"), "<code>&#35;</code>`ff0000`"},
		{Code("$a$b$"), "<code>&#36;</code>`a$b`<code>&#36;</code>"},
		{Code("a\nb"), "`a\\nb`"},
		{Code(""), ""},
		{Text("BenchmarkFoo/size=64k-8 in sort_test.go, 5 > 3"), "BenchmarkFoo/size=64k-8 in sort_test.go, 5 &gt; 3"},
		{Text("a|b_c _d_ <d>"), `a&#124;b_c \_d\_ &lt;d&gt;`},
		{Text("see @name, CPU @ 3GHz and #12"), "see `@name`, CPU @ 3GHz and `#12`"},
		{Text("a ::joy or sort_test.go:12"), "a `::joy` or sort_test.go:12"},
		{Text("1. x"), `1\. x`},
		{Text("- x"), `\- x`},
		{Text("---"), `\---`},
		{Text("  x"), "&#32; x"},
		{Text("/approve"), `\/approve`},
		{Text("/usr/bin"), "/usr/bin"},
		{Fence("x", 3), "```"},
		{Fence("a ``` b ```` c", 3), "`````"},
		{Fenced("a\tb\r\n", "diff"), "```diff\na    b\\r\n```"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

// TestQuotedIsSeen: whatever a text is, it is seen as it is, once, and means nothing more, wherever it may stand.
func TestQuotedIsSeen(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	for range 400 {
		s := charset.Name(strings.Trim(markdowntest.Hostile(r, "one", "two"), " "))
		for _, md := range []string{
			Text(s), Code(s), Text(s) + ": x", "- " + Text(s) + "\n", "   - " + Text(s), "1. " + Text(s), "> " + Text(s), "**" + Text(s) + "**", "### " + Text(s), Fenced(s, ""), Folded(s, Text("x")),
			"| a | b |\n| --- | --- |\n| " + Text(s) + " | x |\n| " + Code(s) + " |\n| x | " + Text(s) + " |\n", "text\n" + Text(s),
		} {
			page := markdowntest.Render(md)
			if n := strings.Count(page.Text, s); n != max(1, strings.Count(md, "\n|")-1) {
				t.Errorf("%q is seen %d times: %q is %q", s, n, md, page.Text)
			}
			for _, p := range page.Problems {
				t.Errorf("%q: %s", md, p)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestFence: a fence is the shortest run of backquotes that the text does not contain.
func TestFence(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 3))
	for range 300 {
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = "`a"[min(r.IntN(4), 1)]
			if r.IntN(2) == 0 {
				b[i] = '`'
			}
		}
		least := 1 + r.IntN(3)
		got := Fence(string(b), least)
		if n := len(got); strings.Trim(got, "`") != "" || n < least || strings.Contains(string(b), got) || n > least && !strings.Contains(string(b), got[1:]) {
			t.Fatalf("seed %d: %q, %d: %q", seed, b, least, got)
		}
	}
}

// TestOrders: no line of code begins as an order to a robot does, also if a summary is written anew.
func TestOrders(t *testing.T) {
	for _, order := range []string{
		"/approve", "@dependabot merge", "!merge", "bors r+", "Bors try", "bors: r+", "homu r+", "jenkins test this", "test this please", "retest this please", "ok to test", "add to whitelist", "recheck",
		"r+", "r=me", "r? me", "try", "try+", "delegate+", "LGTM", "shipit", "bot_status", "merge", "run tests", "rebuild", "azp run", "pre-commit.ci autofix", "approve", "I have read the CLA", "backport 1.2",
	} {
		if got := Text(order); strings.HasPrefix(got, order[:2]) || strings.TrimSpace(markdowntest.Render(got).Text) != order {
			t.Errorf("%q is quoted as %q, which is %q", order, got, markdowntest.Render(got).Text)
		}
		text := "first\n" + order + "\n"
		for _, got := range []string{Fenced(text, ""), Rebuild("### tare: x\n\n```\n"+text+"```\n", func(string) bool { return true })} {
			if !strings.Contains(got, "\n "+order+"\n") || strings.Contains(got, "\n"+order) {
				t.Errorf("%q", got)
			}
		}
	}
	if got := Fenced("a/b\nborsch\nr == 2\ntesting\ntest failed\nmerged\nrun: x\nbuilding\ntry_x", ""); strings.Contains(got, "\n ") {
		t.Errorf("%q", got)
	}
}

// TestLongText: what a text takes grows with its length, not with the square of it.
func TestLongText(t *testing.T) {
	for _, word := range []string{"long ", "a\\* ", "``` ", "@me "} {
		allocated := func(n int) uint64 {
			var before, after runtime.MemStats
			text := strings.Repeat(word, n)
			runtime.ReadMemStats(&before)
			rebuildLine(Text(text))
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		allocated(1) // what is made once
		if short, long := allocated(500), allocated(5000); long > 20*short {
			t.Errorf("%q: %d bytes were allocated for 500 words, %d for 5000", word, short, long)
		}
	}
}
