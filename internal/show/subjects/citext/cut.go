package citext

import "strings"

const cutNote = "\n*The rest is left out here, and is in the report.*\n"

// Cut returns a Markdown text of at most limit bytes. A longer one is cut after a line, so that no row of a table is half
// there; what is open at that place, code and folded parts, is closed, and a last line says that it was cut. It is not cut
// where of such a part or of a table nothing would be seen yet. Cut returns "" if there is no room for a line.
func Cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return shorten(text, limit)
}

// shorten returns the beginning of a text, as Cut cuts it, and the note that the rest is missing.
func shorten(text string, limit int) string {
	var s, kept opened
	at, read := 0, 0
	for line := range strings.Lines(text) {
		if read += len(line); read > limit {
			break
		}
		s.add(strings.TrimSpace(line))
		if !s.empty && read+s.closingLength()+len(cutNote) <= limit {
			at, kept = read, s
		}
	}
	if at == 0 {
		return ""
	}
	return text[:at] + kept.closing() + cutNote
}

// opened is what is open behind a line of Markdown.
type opened struct {
	fence  string // of a block of code
	folded int    // parts
	rows   int    // of a table, with its head
	empty  bool   // what was opened last has nothing in it yet
}

func (s *opened) add(line string) {
	isRow := s.fence == "" && strings.HasPrefix(line, "|")
	if isRow {
		s.rows++
	} else {
		s.rows = 0
	}
	switch {
	case s.fence != "":
		s.empty = false
		if line == s.fence {
			s.fence = ""
		}
	case strings.HasPrefix(line, "```") && !strings.Contains(strings.TrimLeft(line, "`"), "`"):
		s.fence, s.empty = line[:len(line)-len(strings.TrimLeft(line, "`"))], true
	case line == "<details>":
		s.folded++
		s.empty = true
	case line == "</details>":
		s.folded = max(s.folded-1, 0)
		s.empty = false
	case isRow:
		s.empty = s.rows <= 2
	case line != "" && !strings.HasPrefix(line, "<summary>"):
		s.empty = false
	}
}

// endOfFold closes a folded part.
const endOfFold = "\n</details>\n"

// closingLength returns the length of closing, which long fences and many folds make long.
func (s *opened) closingLength() int {
	n := s.folded * len(endOfFold)
	if s.fence != "" {
		n += len(s.fence) + 1
	}
	return n
}

// closing returns what closes all that is open.
func (s *opened) closing() string {
	end := strings.Repeat(endOfFold, s.folded)
	if s.fence != "" {
		end = s.fence + "\n" + end
	}
	return end
}
