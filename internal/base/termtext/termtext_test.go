package termtext_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/base/termtext"
)

func TestName(t *testing.T) {
	for _, c := range []struct{ in, utf, ascii string }{
		{"Sort/n=1k", "Sort/n=1k", "Sort/n=1k"},
		{"größe", "größe", `gr\u00f6\u00dfe`},
		{"\x1b[31m", `\x1b[31m`, `\x1b[31m`},
		{"a\r\n\tb\x00\x7f", `a\r\n\tb\x00\x7f`, `a\r\n\tb\x00\x7f`},
		{"\xff\xfe", `\xff\xfe`, `\xff\xfe`},
		{"\u202e\u200b\u00a0\u2028", `\u202e\u200b\u00a0\u2028`, `\u202e\u200b\u00a0\u2028`},
		{"日本", "日本", `\u65e5\u672c`},
		{"\U0001f600", "\U0001f600", `\U0001f600`},
	} {
		if got := (termtext.Charset{UTF8: true}).Name(c.in); got != c.utf {
			t.Errorf("%q: %s, want %s", c.in, got, c.utf)
		}
		if got := (termtext.Charset{}).Name(c.in); got != c.ascii {
			t.Errorf("%q in ASCII: %s, want %s", c.in, got, c.ascii)
		}
	}
	if got := (termtext.Charset{}).Text("± 3 µs → ‘x’"); got != `+/- 3 us -> \u2018x'` {
		t.Error(got)
	}
}

func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"abcdefghij", 10, "abcdefghij"}, {"abcdefghij", 9, "abcd…ghij"}, {"abcdefghij", 8, "abcd…hij"},
		{"abcdefghij", 3, "a…j"}, {"abcdefghij", 2, "ab"}, {"abcdefghij", 0, ""}, {"abcdefghij", -1, ""}, {"äöüß", 3, "ä…ß"},
	} {
		if got := (termtext.Charset{UTF8: true}).Middle(c.in, c.n); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 10, ""},
		{"one two three", 7, "one two|three"},
		{"look with  tare bench", 100, "look with  tare bench"},
		{"averyveryverylongword and", 5, "averyveryverylongword|and"},
		{"a b", 0, "a|b"},
		{"trailing  ", 20, "trailing"},
	} {
		if got := strings.Join(termtext.Wrap(c.in, c.n), "|"); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	c := termtext.Charset{}
	for gap, want := range map[termtext.Gap]string{termtext.InTheMiddle: "abcd~ghij", termtext.NearTheFront: "ab~efghij", termtext.NearTheEnd: "abcdef~ij"} {
		if got := c.Cut("abcdefghij", 9, gap); got != want {
			t.Errorf("%d: %q, want %q", gap, got, want)
		}
	}
	for n, want := range []string{"", "", "a~", "abc"} {
		if got := c.Head("abc", n); got != want {
			t.Errorf("to %d: %q, want %q", n, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	c := termtext.Charset{UTF8: true}
	if got := strings.Join(c.Fit("one  averyveryverylongword two", 7), "|"); got != "one|ave…ord|two" {
		t.Error(got)
	}
	got := termtext.Join([]string{"aa", "bb", "c c c c c"}, " · ", 7, c.Fit)
	if want := "aa · bb|c c c c|c"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPaint(t *testing.T) {
	if got := termtext.Bold.Paint("  a b ", true); got != "  \x1b[1ma b\x1b[0m " {
		t.Errorf("%q", got)
	}
	for _, st := range []termtext.Style{termtext.Bold, termtext.Normal} {
		if got := st.Paint("a", st == termtext.Normal); got != "a" {
			t.Errorf("%q", got)
		}
	}
	if got := termtext.Left("ä", 3) + "|" + termtext.Right("ä", 3) + "|" + termtext.Left("ä", 0) + termtext.Pad(-1); got != "ä  |  ä|ä" {
		t.Errorf("%q", got)
	}
}

// FuzzName: whatever it is, it is shown, on one line, in so many columns.
func FuzzName(f *testing.F) {
	f.Add("größe\x1b[2J", 5, true)
	f.Add("\xff\u202e\t", 3, false)
	f.Fuzz(func(t *testing.T, s string, n int, utf bool) {
		c := termtext.Charset{UTF8: utf}
		for _, got := range []string{c.Name(s), c.Line(s), c.Text(s), c.Middle(c.Name(s), n), c.Head(c.Name(s), n)} {
			for _, r := range got {
				if !unicode.IsPrint(r) || r >= utf8.RuneSelf && !utf {
					t.Errorf("%q of %q has %q", got, s, r)
				}
			}
		}
		if got := c.Middle(c.Name(s), n); termtext.Width(got) > max(n, 0) {
			t.Errorf("%q is longer than %d", got, n)
		}
		for _, line := range c.Fit(c.Name(s), n) {
			if termtext.Width(line) > max(n, 0) {
				t.Errorf("%q is longer than %d", line, n)
			}
		}
	})
}

// TestPage: blanks at the ends of lines and empty lines beside each other are left out.
func TestPage(t *testing.T) {
	p := termtext.NewPage(0, true)
	p.Blank()
	p.Print(termtext.Bold, "a  ", "")
	p.Blank()
	p.Blank()
	p.Print(termtext.Normal, "b")
	var b strings.Builder
	if _, err := p.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[1ma\x1b[0m\n\nb\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	for n, want := range map[int]int{-1: 100, 0: 100, 1: 60, 60: 60, 300: 300} {
		if got := termtext.Columns(n); got != want {
			t.Errorf("%d: %d columns, want %d", n, got, want)
		}
	}
}

// TestClip: nothing is left that a terminal would obey.
func TestClip(t *testing.T) {
	for in, want := range map[string]string{
		"a\x1b[2J": "a?[2J", "\u009b31m\x7f\u202e\xff\u2028": "?31m????", "größe 日": "größe 日", "123456789": "123456789", "1234567890": "12345678…",
	} {
		if got := termtext.Clip(in, 9); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestUnseen: characters of which nothing is seen are escaped, whatever category they have.
func TestUnseen(t *testing.T) {
	for in, want := range map[string]string{
		"a\u3164b": `a\u3164b`, "\u115f": `\u115f`, "\uffa0": `\uffa0`, "\u2800": `\u2800`, "❤\ufe0f": `❤\ufe0f`, "\u034f": `\u034f`, "\U000e0101": `\U000e0101`, "é日e\u0301": "é日e\u0301",
	} {
		if got := (termtext.Charset{UTF8: true}).Name(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
