package markdown

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// maxColumns is how many columns a table that is read may have. Those of reports have fewer.
const maxColumns = 24

// Rebuild reads Markdown that a stranger may have written, and writes it anew with the functions of this package. What has
// the form that reports have keeps it: a heading in the first line, paragraphs, lists, notes behind >, tables, blocks of code,
// bold text and code in a line, and folded tables and blocks of code whose title isTitle knows. All else becomes text that is
// seen as it was typed. own are lines that are kept as they are.
func Rebuild(text string, isTitle func(title string) bool, own ...string) string {
	r := rebuilder{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n"), isTitle: isTitle, own: own}
	for i, line := range r.lines {
		r.lines[i] = strings.TrimSuffix(line, "\r")
	}
	if rest, ok := strings.CutPrefix(r.lines[0], "### "); ok {
		r.out.WriteString("### " + rebuildLine(rest) + "\n")
		r.lines = r.lines[1:]
	}
	r.blocks(false)
	return r.out.String()
}

// rebuilder has the lines that are not read yet, and what was written.
type rebuilder struct {
	lines   []string
	isTitle func(string) bool
	own     []string
	items   int // of a numbered list
	out     bytes.Buffer
}

// blocks reads all lines. In a fold it stops at what does not belong there, and reports false.
func (r *rebuilder) blocks(inFold bool) bool {
	for len(r.lines) > 0 {
		line := strings.TrimRight(r.lines[0], " \t")
		switch {
		case line == "":
			r.out.WriteByte('\n')
			r.lines = r.lines[1:]
		case r.code() || r.table():
		case inFold && !boldLine.MatchString(line):
			return false
		case !inFold && r.fold():
		default:
			r.line(line)
			r.lines = r.lines[1:]
		}
	}
	return true
}

// boldLine matches the title of a table.
var boldLine = regexp.MustCompile(`^\*\*[^*]+\*\*$`)

// block writes a block, with an empty line before it and behind it, and passes over the lines that it was read from.
func (r *rebuilder) block(text string, lines int) {
	if b := r.out.Bytes(); len(b) > 0 && !bytes.HasSuffix(b, []byte("\n\n")) {
		r.out.WriteByte('\n')
	}
	r.out.WriteString(text + "\n")
	if r.lines = r.lines[lines:]; len(r.lines) > 0 && r.lines[0] != "" {
		r.out.WriteByte('\n')
	}
}

var fenceLine = regexp.MustCompile("^`{3,}$")

// code reads a block of code, to the end if it has none of its own.
func (r *rebuilder) code() bool {
	fence := r.lines[0]
	if !fenceLine.MatchString(fence) {
		return false
	}
	end := 1
	for end < len(r.lines) && r.lines[end] != fence {
		end++
	}
	r.block(Fenced(strings.Join(r.lines[1:end], "\n"), ""), min(end+1, len(r.lines)))
	return true
}

var (
	rowLine  = regexp.MustCompile(`^\|.*\|$`)
	ruleLine = regexp.MustCompile(`^\|(?: *-+:? *\|)+$`)
)

// rowCells returns the cells of a row, as they are written.
func rowCells(line string) []string { return strings.Split(line[1:len(line)-1], "|") }

// table reads a table. Cells beyond the columns would not be seen: they become part of the last one.
func (r *rebuilder) table() bool {
	if len(r.lines) < 2 || !rowLine.MatchString(r.lines[0]) || !ruleLine.MatchString(r.lines[1]) {
		return false
	}
	rule := rowCells(r.lines[1])
	if n := len(rule); n > maxColumns || len(rowCells(r.lines[0])) != n {
		return false
	}
	right := make([]bool, len(rule))
	for i, c := range rule {
		right[i] = strings.Contains(c, ":")
	}
	rows, n := [][]string{}, 0
	for ; n < len(r.lines) && rowLine.MatchString(r.lines[n]); n++ {
		if n == 1 {
			continue
		}
		cells := rowCells(r.lines[n])
		if last := len(rule) - 1; len(cells) > len(rule) {
			cells = append(cells[:last:last], strings.Join(cells[last:], "&#124;"))
		}
		for i, c := range cells {
			cells[i] = rebuildLine(strings.TrimSpace(c))
		}
		rows = append(rows, cells)
	}
	var b bytes.Buffer
	Rows(&b, rows, right)
	r.block(strings.TrimSuffix(b.String(), "\n"), n)
	return true
}

var titleLine = regexp.MustCompile(`^<summary>(.*)</summary>$`)

// fold reads a folded part that has nothing but tables and code in it.
func (r *rebuilder) fold() bool {
	if len(r.lines) < 4 || r.lines[0] != "<details>" || r.lines[2] != "" {
		return false
	}
	m := titleLine.FindStringSubmatch(r.lines[1])
	if m == nil {
		return false
	}
	title := decode(strings.NewReplacer("<code>", "", "</code>", "").Replace(m[1]))
	end := r.foldEnd()
	if end < 0 || !r.isTitle(title) {
		return false
	}
	inner := rebuilder{lines: r.lines[3:end]}
	if !inner.blocks(true) {
		return false
	}
	r.block(Folded(title, strings.Trim(inner.out.String(), "\n")), end+1)
	return true
}

// foldEnd returns the line that ends a fold, -1 if there is none or another one begins before it. Lines of code do neither.
func (r *rebuilder) foldEnd() int {
	fence := ""
	for i, line := range r.lines {
		switch {
		case fence != "":
			if line == fence {
				fence = ""
			}
		case fenceLine.MatchString(line):
			fence = line
		case line == "<details>" && i > 0:
			return -1
		case line == "</details>":
			return i
		}
	}
	return -1
}

// beginning matches how lines begin in reports.
var beginning = regexp.MustCompile(`^(?:- |   - |> |([0-9]{1,3})\. )`)

// line writes a line of text.
func (r *rebuilder) line(line string) {
	for _, own := range r.own {
		if line == own {
			r.out.WriteString(line + "\n")
			return
		}
	}
	begin := r.beginning(line)
	r.out.WriteString(begin + rebuildLine(line[len(begin):]) + "\n")
}

// beginning returns how a line begins, "" if not as in reports. Markdown counts the items of a list itself: another number
// would not be seen.
func (r *rebuilder) beginning(line string) string {
	m := beginning.FindStringSubmatch(line)
	if m == nil || len(m[0]) == len(line) {
		return ""
	}
	if n, err := strconv.Atoi(m[1]); err == nil {
		if n != r.items+1 {
			return ""
		}
		r.items = n
	}
	return m[0]
}
