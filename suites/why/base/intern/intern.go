// Package intern numbers words.
package intern

import "bytes"

// A Table gives each word a number.
type Table struct {
	numbers map[string]uint32
	words   []string
}

// New returns an empty table that has room for the given number of words.
func New(room int) *Table {
	return &Table{
		numbers: make(map[string]uint32, room),
		words:   make([]string, 0, room),
	}
}

// Number returns the number of a word, which is added if it is new.
func (t *Table) Number(word []byte) uint32 {
	if n, ok := t.numbers[string(word)]; ok {
		return n
	}
	n := uint32(len(t.words))
	w := string(word)
	t.words = append(t.words, w)
	t.numbers[w] = n
	return n
}

// Words returns the words in the order of their numbers.
func (t *Table) Words() []string { return t.words }

// AddText adds the words of a text, which are separated by blanks, and returns how many there were.
func (t *Table) AddText(text []byte) int {
	count := 0
	for len(text) > 0 {
		word := text
		i := bytes.IndexByte(text, ' ')
		if i >= 0 {
			word, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		if len(word) > 0 {
			t.Number(word)
			count++
		}
	}
	return count
}
