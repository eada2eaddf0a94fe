package render

import (
	"testing"
)

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
