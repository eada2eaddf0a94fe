package render

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

func TestNotes(t *testing.T) {
	a, b := result.Warning{Code: "a", Text: "x"}, result.Warning{Code: "b", Text: "y", Advice: "z"}
	same := a
	same.Code = "other"
	var n notes
	g := newGlyphs(true)
	for i, c := range []struct {
		ws   []result.Warning
		want string
	}{
		{nil, ""}, {[]result.Warning{a}, "¹"}, {[]result.Warning{b, a}, "¹ ²"}, {[]result.Warning{same, a}, "¹"}, {[]result.Warning{b}, "²"},
	} {
		if got := n.marks(g, c.ws); got != c.want {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
	if got := g.mark(120) + newGlyphs(false).mark(12); got != "¹²⁰[12]" {
		t.Error(got)
	}
}

func TestRepeat(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"tare", "tare --seed 7f3a"},
		{"tare bench", "tare bench --seed 7f3a"},
		{"tare bench --bench A|B sort", "tare bench --seed 7f3a --bench 'A|B' sort"},
		{"tare bench --seed 1 sort", "tare bench --seed 1 sort"},
		{"tare bench --seed=1 sort", "tare bench --seed=1 sort"},
		{"tare -- bench", "tare --seed 7f3a -- bench"},
		{"tare bench sort -- --seed 1", "tare bench --seed 7f3a sort -- --seed 1"},
		{"tare --color never bench", "tare --seed 7f3a --color never bench"},
	} {
		run := &record.Run{Command: strings.Fields(c.in), Seed: 0x7f3a}
		before := strings.Join(run.Command, " ")
		got := strings.Join(newGlyphs(true).command(repeatArgs(run), 1000), "\n")
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
		if strings.Join(run.Command, " ") != before {
			t.Errorf("%q: the run was changed", c.in)
		}
	}
}

// TestShell lets shells read what was quoted for them.
func TestShell(t *testing.T) {
	args := []string{
		"", "plain", "a b", "it's", `back\slash`, "$HOME", "`date`", "*", "~", "!x", "#c", "größe", "tab\tnew\nline\r",
		"\x1b[0m1", "\xff", "\u202e9", "A=b c", "-n", "--flag", "a'b\x01'c\\",
	}
	for _, shell := range []string{"bash", "zsh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		for _, utf := range []bool{true, false} {
			for _, n := range []int{20, 1000} {
				lines := newGlyphs(utf).command(append([]string{"printf", `%s\0`}, args...), n)
				out, err := exec.Command(path, "-c", strings.Join(lines, "\n")).Output()
				if want := strings.Join(args, "\x00") + "\x00"; err != nil || string(out) != want {
					t.Errorf("%s: %v\n got %q\nwant %q", shell, err, out, want)
				}
			}
		}
	}
}

func TestMarkdownQuotes(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{mdCode("Fields/ASCII_x*"), "`Fields/ASCII_x*`"},
		{mdCode("a|b"), "<code>a&#124;b</code>"},
		{mdCode("a`b"), "<code>a&#96;b</code>"},
		{mdCode(`a\|b`), "<code>a&#92;&#124;b</code>"},
		{mdCode(""), ""},
		{mdText("a|b_c <d>"), `a&#124;b\_c &lt;d&gt;`},
		{fence("x", 3), "```"},
		{fence("a ``` b ```` c", 3), "`````"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}
