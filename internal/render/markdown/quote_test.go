package markdown

import "testing"

func TestMarkdownQuotes(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Code("Fields/ASCII_x*"), "`Fields/ASCII_x*`"},
		{Code("a|b"), "<code>a&#124;b</code>"},
		{Code("a`b"), "<code>a&#96;b</code>"},
		{Code(`a\|b`), "<code>a&#92;&#124;b</code>"},
		{Code(""), ""},
		{Text("a|b_c <d>"), `a&#124;b\_c &lt;d&gt;`},
		{Fence("x", 3), "```"},
		{Fence("a ``` b ```` c", 3), "`````"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}
