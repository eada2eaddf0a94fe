package ci

import "strings"

const cutNote = "\n*The rest is left out here, and is in the report.*\n"

// Cut returns a Markdown text of at most limit bytes. A longer one is cut after a line, so that no row of a table is half
// there; what is open at that place, code and folded parts, is closed, and a last line says that it was cut.
func Cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	room := limit - len(cutNote) - reserve
	var b strings.Builder
	fence, folded, closing := "", 0, ""
	for line := range strings.Lines(text) {
		if b.Len()+len(line) > room {
			break
		}
		b.WriteString(line)
		switch word := strings.TrimSpace(line); {
		case fence != "":
			if word == fence {
				fence = ""
			}
		case strings.HasPrefix(word, "```"):
			fence = word[:len(word)-len(strings.TrimLeft(word, "`"))]
		case word == "<details>":
			folded++
		case word == "</details>":
			folded--
		}
	}
	if fence != "" {
		closing = fence + "\n"
	}
	closing += strings.Repeat("\n</details>\n", max(folded, 0))
	if b.Len()+len(closing)+len(cutNote) > limit {
		return ""
	}
	return b.String() + closing + cutNote
}

// reserve is kept for what has to be closed.
const reserve = 200
