package document

import (
	"regexp"
	"strings"
)

// Block is a fenced block of a document.
type Block struct {
	Line  int    // of its first fence, from 1
	Lang  string // what follows the fence: sh, go, yaml, or nothing
	Notes []Note // comments in the lines before the fence
	Text  string // between the fences: whole lines

	start, end int // offsets of Text in the document
}

// Note is a comment before a block, <!-- NAME: VALUE -->. It is not shown to readers.
type Note struct{ Name, Value string }

// Note returns the value of the first note of this name, and whether there is one.
func (b *Block) Note(name string) (string, bool) {
	for _, n := range b.Notes {
		if n.Name == name {
			return n.Value, true
		}
	}
	return "", false
}

// Values returns the values of all notes of this name.
func (b *Block) Values(name string) (values []string) {
	for _, n := range b.Notes {
		if n.Name == name {
			values = append(values, n.Value)
		}
	}
	return values
}

// hidden is the name of a note that is a command: <!-- tare asm … -->. The block is what it
// printed.
const hidden = "tare"

var note = regexp.MustCompile(`^<!-- ([a-z]+): (.*) -->$|^<!-- (tare .*) -->$`)

func parseNote(line string) (Note, bool) {
	switch m := note.FindStringSubmatch(line); {
	case m == nil:
		return Note{}, false
	case m[3] != "":
		return Note{hidden, m[3]}, true
	default:
		return Note{m[1], m[2]}, true
	}
}

// Blocks returns the fenced blocks of a document, in order. A block that is not closed ends with
// the document.
func Blocks(text string) (blocks []Block) {
	var notes []Note
	var open *Block
	offset, number := 0, 0
	for line := range strings.Lines(text) {
		number++
		from := offset
		offset += len(line)
		line = strings.TrimRight(line, "\r\n")
		if open != nil {
			if line == "```" {
				open.end = from
				blocks, open = append(blocks, open.closed(text)), nil
			}
			continue
		}
		if lang, ok := strings.CutPrefix(line, "```"); ok {
			open = &Block{Line: number, Lang: strings.TrimSpace(lang), Notes: notes, start: offset}
			notes = nil
		} else if n, ok := parseNote(line); ok {
			notes = append(notes, n)
		} else {
			notes = nil
		}
	}
	if open != nil {
		open.end = len(text)
		blocks = append(blocks, open.closed(text))
	}
	return blocks
}

func (b *Block) closed(text string) Block {
	b.Text = text[b.start:b.end]
	return *b
}
