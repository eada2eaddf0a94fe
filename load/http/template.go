package http

import (
	"fmt"
	"regexp"
	"strconv"
)

// template is a text with numbers that differ between operations.
type template struct {
	parts  []part
	varies bool
}

// part is a text or a number.
type part struct {
	text   string
	number byte   // 0 for a text, 'k' or 'r'
	modulo uint64 // 0 for none
}

var placeholder = regexp.MustCompile(`\{(k|k:[0-9]+|rand:[0-9]+)\}`)

// parseTemplate keeps braces that are no placeholder as text.
func parseTemplate(text string) (template, error) {
	var t template
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

// append appends the text of operation k. Each random number in it is different.
func (t *template) append(dst []byte, seed, k uint64) []byte {
	for i, p := range t.parts {
		switch {
		case p.number == 0:
			dst = append(dst, p.text...)
		case p.number == 'r':
			dst = strconv.AppendUint(dst, random(seed+uint64(i), k)%p.modulo, 10)
		case p.modulo > 0:
			dst = strconv.AppendUint(dst, k%p.modulo, 10)
		default:
			dst = strconv.AppendUint(dst, k, 10)
		}
	}
	return dst
}

// random returns element k of the SplitMix64 sequence of a seed, from Steele, Lea and
// Flood, Fast Splittable Pseudorandom Number Generators (OOPSLA 2014). The seed is
// mixed first, so that the sequences of adjacent seeds do not overlap.
func random(seed, k uint64) uint64 {
	const golden = 0x9e3779b97f4a7c15
	return mix(mix(seed+golden) + (k+1)*golden)
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
