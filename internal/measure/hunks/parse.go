package hunks

import (
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result/why"
)

// File is a file that differs.
type File struct {
	Path  [2]string // on both sides, with slashes, from the top of the tree; "" on a side that has not the file
	Hunks []Hunk
}

// name returns the path of a file for people.
func (f *File) name() string {
	if f.Path[1] != "" {
		return f.Path[1]
	}
	return f.Path[0]
}

// Hunk is a part of a file that differs, and where it begins.
type Hunk struct {
	why.Hunk
	start [2]int // line numbers of the first line on each side
}

// parser reads a diff.
type parser struct {
	files []File
	hunk  *Hunk
	rest  [2]int // lines that the hunk still has on each side
}

// Parse reads a unified diff whose paths have no prefix. What is not part of one is left out.
func Parse(text string) []File {
	var p parser
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if !p.inside(line) {
			p.outside(line)
		}
	}
	return p.files
}

// inside takes a line of a hunk, and reports whether it is one.
func (p *parser) inside(line string) bool {
	if p.hunk == nil || p.rest == [2]int{} {
		return false
	}
	if line == "" {
		line = " " // its blank was cut off on the way
	}
	switch line[0] {
	case ' ':
		p.rest[0]--
		p.rest[1]--
	case '-':
		p.rest[0]--
	case '+':
		p.rest[1]--
	case '\\': // no newline at the end of the file
		return true
	default:
		p.hunk = nil
		return false
	}
	if p.rest[0] < 0 || p.rest[1] < 0 {
		p.hunk = nil
		return false
	}
	p.hunk.Lines = append(p.hunk.Lines, line)
	return true
}

// outside takes a line between hunks.
func (p *parser) outside(line string) {
	switch {
	case strings.HasPrefix(line, "diff "):
		p.hunk = nil
		p.files = append(p.files, File{})
	case len(p.files) == 0:
	case strings.HasPrefix(line, "--- "):
		p.last().Path[0] = pathOf(line[4:])
	case strings.HasPrefix(line, "+++ "):
		p.last().Path[1] = pathOf(line[4:])
	case strings.HasPrefix(line, "@@ "):
		p.begin(line)
	}
}

func (p *parser) last() *File { return &p.files[len(p.files)-1] }

// begin takes the head of a hunk: "@@ -3,4 +3,5 @@ func F() {".
func (p *parser) begin(line string) {
	p.hunk = nil
	ranges, _, ok := strings.Cut(line[3:], " @@")
	old, new, both := strings.Cut(ranges, " ")
	if !ok || !both {
		return
	}
	h := Hunk{Hunk: why.Hunk{File: p.last().name(), Header: line}}
	for side, text := range [2]string{strings.TrimPrefix(old, "-"), strings.TrimPrefix(new, "+")} {
		if h.start[side], p.rest[side], ok = rangeOf(text); !ok {
			return
		}
	}
	f := p.last()
	f.Hunks = append(f.Hunks, h)
	p.hunk = &f.Hunks[len(f.Hunks)-1]
}

// rangeOf reads "3,4", or "3" for one line. An empty range is behind its line: its start is the next one.
func rangeOf(s string) (start, n int, ok bool) {
	const most = 1 << 30
	first, count, counted := strings.Cut(s, ",")
	start, err := strconv.Atoi(first)
	if err != nil || start < 0 || start > most {
		return 0, 0, false
	}
	if n = 1; counted {
		if n, err = strconv.Atoi(count); err != nil || n < 0 || n > most {
			return 0, 0, false
		}
	}
	if n == 0 {
		start++
	}
	return start, n, true
}

// pathOf returns the path of a line "--- PATH". One with a blank has a tab behind it, and one with other unusual characters is quoted.
func pathOf(s string) string {
	s = strings.TrimSuffix(s, "\t")
	if strings.HasPrefix(s, `"`) {
		if plain, err := strconv.Unquote(s); err == nil {
			s = plain
		}
	}
	if s == "/dev/null" {
		return ""
	}
	return s
}
