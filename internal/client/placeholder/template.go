package placeholder

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/tarebench/tare/internal/client/httpclient"
)

// A Template is a text with numbers that differ between operations.
type Template struct {
	parts  []part
	varies bool
}

// Varies reports whether the text differs between operations.
func (t *Template) Varies() bool { return t.varies }

// Texts returns the fixed parts, in their order.
func (t *Template) Texts() []string {
	var out []string
	for _, p := range t.parts {
		if p.number == 0 {
			out = append(out, p.text)
		}
	}
	return out
}

// part is a text or a number.
type part struct {
	text   string
	number byte   // 0 for a text, 'k' or 'r'
	modulo uint64 // 0 for none
}

var placeholder = regexp.MustCompile(`\{(k|k:[0-9]+|rand:[0-9]+)\}`)

// Parse keeps braces that are no placeholder as text. Its error names the placeholder.
func Parse(text string) (Template, error) {
	var t Template
	at := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		p, err := parsePlaceholder(text[m[2]:m[3]])
		if err != nil {
			return t, err
		}
		t.parts = append(t.parts, part{text: text[at:m[0]]}, p)
		t.varies = true
		at = m[1]
	}
	t.parts = append(t.parts, part{text: text[at:]})
	return t, nil
}

func parsePlaceholder(name string) (part, error) {
	p := part{number: name[0]}
	if name == "k" {
		return p, nil
	}
	digits := regexp.MustCompile(`[0-9]+`).FindString(name)
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || n == 0 {
		return p, fmt.Errorf("{%s}: want a number from 1 to 2^63-1", name)
	}
	p.modulo = n
	return p, nil
}

// Append appends the text of operation k. Each random number in it is different.
func (t *Template) Append(dst []byte, seed, k uint64) []byte {
	for i, p := range t.parts {
		switch {
		case p.number == 0:
			dst = append(dst, p.text...)
		case p.number == 'r':
			dst = strconv.AppendUint(dst, httpclient.Random(seed+uint64(i), k)%p.modulo, 10)
		case p.modulo > 0:
			dst = strconv.AppendUint(dst, k%p.modulo, 10)
		default:
			dst = strconv.AppendUint(dst, k, 10)
		}
	}
	return dst
}
