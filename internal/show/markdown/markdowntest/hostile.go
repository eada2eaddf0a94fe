package markdowntest

import (
	"math/rand/v2"
	"strings"
)

// names are texts that GitHub gives a meaning. A % is the place of the marker.
var names = []string{
	"@%", "@org/%", "_@%_", "*@%*", "__@%__", "~~@%~~", "`@%`", "&#64;%", "&commat;%", `\@%`, "(@%)", "x@%", "me@%.example.org", "<@%>", "\uff20%", "@%.", "@-%", "[@%](x)",
	"#1 %", "#1%", "GH-12 %", "gh-12", "o/r#12 %", "fixes #12 %", "o/r@0123abc %", "0123456789abcdef0123456789abcdef01234567 %", "deadbeef %", "1234567 %",
	"https://evil.example/%", "http://github.com/o/r/issues/1?%", "www.evil.example/%", "WWW.evil.example/%", "ftp://h/%", "<https://evil.example/%>", "mailto:a@b.example?%", "xmpp:a@b.example/%",
	"[%](https://evil.example)", "[%][x]", "[%]: https://evil.example", "[//]: # (%)", "[x]: <> (%)", "[^1] %", "[^1]: %", "![%](https://evil.example/p.png)", "![%][x]", "!%",
	"<!-- % -->", "<!-- tare:% -->", "<details>%</details>", "<details><summary>s</summary>%</details>", "<img src=%>", "<b title=\"%\">x</b>", "<a href=\"//h/%\">x</a>", "<? % ?>", "<!X %>",
	"<![CDATA[%]]>", "<script>%</script>", "<style>%", "<pre>%", "<code>%", "</code>%", "</details>%", "</summary>%", "<br>%", "<sub>%</sub>", "&lt;%&gt;", "&amp;%", "&%;", "&#0;%", "&#x40;%", "&#8203;%",
	":smile: %", ":+1:%", ":%:", "$%$", "$$%$$", "$`%`$", `\(%\)`, `\$%$`, "a$%", "- [ ] %", "- [x] %", "[ ] %", "* [x] %", "1. [ ] %", "[!NOTE] %", "> [!WARNING]\n> %", "> %",
	"```mermaid\n%\n```", "```math\n%\n```", "```suggestion\n%\n```", "~~~\n%\n~~~", "````\n%", "```\n%", "    %", "\t%", "# %", "% #", "%\n===", "%\n---", "---\n%", "- - -%", "***\n%", "___", "+ %", "2) %", "7. %",
	"| % | b |\n| - | - |\n| c | d | e |", "|%|", "%|%2", `%\|x`, `\%`, `%\`, "a`%", "``%", "%`", "`%``", "` %` ", "#ff0000 %", "`#ff0000` %", "`rgb(1,2,3)`%", "rgb(1,2,3)%",
	"%\r@x", "%\r\n# x", "%\u2028# y", "%\u2029", "%\u200b@x", "@\u200b%", "\u202e%\u202c", "%\u2066", "\u3164%", "\u115f%", "%\ufe0f", "\u2800%", "%\u00ad", "%\x00", "%\x1b[2J", "%\ufeff", "\u034f%", "\U000e0041%",
	"**%**", "**%", "*%*", "_%_", "a_%_b", "**  %**", "****%", "** %", "/approve %", "@dependabot merge %", "bors r+ %", "Bors try %", "!merge %", "LGTM %", "test this please %", "r=%", "%  \nx", "%\\\nx", "=%", "--%", "::%", "%: :-:", ":--%",
	"### tare: %", "*The rest is left out here, and is in the report.* %", "<details>\n<summary>3 equivalent</summary>\n\n%\n\n</details>", "<details>\n<summary>3 @%</summary>\n\n| a |\n| --- |\n| b |\n\n</details>",
	"<details>\n<summary>output of %</summary>\n\n```\nx\n```\n\n</details>", "<details>\n<summary>3 equivalent</summary>\n\n| a |\n| --- |\n| % |\n\n</details>", "<details>\n\n%", "<summary>%</summary>",
}

// Around are what stands around such a text; the % is its place.
var around = []string{"%", "%", "%", "**%**", "_%_", "*%*", "~~%~~", "`%`", "``%``", "<code>%</code>", "(%)", "[%](x)", "x %", "% x", "- %", "> %", "| % |", "a%", "%b", "<b>%</b>", "\"%\"", "%\n\n%", "\\%", "_%", "%_"}

// Hostile returns a text that tries to be more than a text. It has each of the markers once, and they are in texts of their own.
func Hostile(r *rand.Rand, markers ...string) string {
	var parts []string
	for _, m := range markers {
		name := strings.ReplaceAll(names[r.IntN(len(names))], "%2", "")
		before, after, ok := strings.Cut(name, "%")
		if !ok {
			before, after = name+" ", ""
		}
		text := before + m + strings.ReplaceAll(after, "%", "x")
		for range r.IntN(3) {
			before, after, _ := strings.Cut(around[r.IntN(len(around))], "%")
			text = before + text + strings.ReplaceAll(after, "%", "x")
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, []string{" ", "\n", "\n\n", "", ", "}[r.IntN(5)])
}
