package compiler

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tarebench/tare/record"
)

// rawNote is a note that is not yet of a function.
type rawNote struct {
	record.CompilerNote
	pkg, file string // import path, and name of the file without directory
	column    int
	function  string // instead of a position: the function's name with its package
}

// position matches a line of the compiler that is about a place.
var position = regexp.MustCompile(`^(.*?\.go):(\d+):(\d+): (.*)$`)

// parseText returns the notes in the output of the go command that only the text has: what is inlined, what leaks, and
// what a profile changed.
func parseText(text string) (notes []rawNote) {
	pkg := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			pkg, _, _ = strings.Cut(rest, " ") // "# example.org/m [example.org/m.test]"
			continue
		}
		m := position.FindStringSubmatch(line)
		if m == nil {
			if n, ok := hotNode(line); ok {
				notes = append(notes, n)
			}
			continue
		}
		name, own := fileOf(pkg, m[1])
		if !own {
			continue
		}
		n := rawNote{pkg: pkg, file: name}
		n.Line, _ = strconv.Atoi(m[2])
		n.column, _ = strconv.Atoi(m[3])
		if n.parse(m[4]) {
			notes = append(notes, n)
		}
	}
	return notes
}

// cost finds the cost of a function that can be inlined, and of one that cannot.
var (
	canCost    = regexp.MustCompile(` with cost (\d+) as: `)
	cannotCost = regexp.MustCompile(`cost (\d+) exceeds budget (\d+)`)
	score      = regexp.MustCompile(` with score -?\d+$`)
)

// parse reads a message. It reports false for one of another kind.
func (n *rawNote) parse(msg string) bool {
	switch word := func(prefix string) (rest string, ok bool) { return strings.CutPrefix(msg, prefix) }; {
	case strings.HasPrefix(msg, " "): // the way by which a value escapes, which the JSON has, too
		return false
	case strings.HasPrefix(msg, "can inline "):
		n.Kind = record.NoteInlinable
		if m := canCost.FindStringSubmatch(msg); m != nil {
			n.Cost, _ = strconv.Atoi(m[1])
		}
	case strings.HasPrefix(msg, "cannot inline "):
		_, why, ok := strings.Cut(msg, ": ")
		if !ok || strings.Contains(msg, " into ") {
			return false // a call, which the JSON has
		}
		n.Kind, n.Text = record.NoteNotInlinable, plain(why)
		if m := cannotCost.FindStringSubmatch(why); m != nil {
			n.Cost, _ = strconv.Atoi(m[1])
			n.Budget, _ = strconv.Atoi(m[2])
		}
	case strings.HasPrefix(msg, "inlining call to "):
		rest, _ := word("inlining call to ")
		n.Kind, n.Text = record.NoteInlined, plain(score.ReplaceAllString(rest, ""))
	case strings.HasPrefix(msg, "leaking param"):
		n.Kind, n.Text = record.NoteLeak, plain(msg)
	case strings.HasPrefix(msg, "PGO devirtualizing "), strings.HasPrefix(msg, "devirtualizing "):
		n.Kind, n.Text = record.NotePGO, plain(msg)
		if !strings.HasPrefix(msg, "PGO") {
			n.Kind = record.NoteDevirtualized
		}
	default:
		return false
	}
	return true
}

// hotNode reads a line without a position: a function may be larger and still be inlined, because it is hot.
var hotFunction = regexp.MustCompile(`^hot-node enabled increased budget=(\d+) for func=(\S+)`)

func hotNode(line string) (n rawNote, ok bool) {
	m := hotFunction.FindStringSubmatch(line)
	if m == nil {
		return n, false
	}
	n.Kind, n.Text, n.function = record.NotePGO, "hot: may be inlined up to a higher budget", m[2]
	n.Budget, _ = strconv.Atoi(m[1])
	return n, true
}
