package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// pattern is one spelling of a secret.
type pattern struct {
	text   string
	secret int  // length of the secret in bytes
	word   bool // letters and digits, and short: it counts only where no other letters and digits are beside it
	packed bool // base64: what stands beside it belongs to the same word
}

// index finds patterns in texts. A text without the first two bytes of a pattern costs one look-up of a bit for each byte.
type index struct {
	starts pairSet
	by     map[[2]byte][]pattern // by the first two bytes
	seen   map[string]bool
}

// pairSet is a bit set of the first two bytes of texts.
type pairSet [1 << 10]uint64

func (s *pairSet) add(text string) {
	bit := uint(text[0])<<8 | uint(text[1])
	s[bit>>6] |= 1 << (bit & 63)
}

func (s *pairSet) has(a, b byte) bool {
	bit := uint(a)<<8 | uint(b)
	return s[bit>>6]&(1<<(bit&63)) != 0
}

// longWord is the length in bytes from which letters and digits are a secret also within a longer word.
const longWord = 16

// with returns an index that has more secrets. The receiver may be nil and is not changed, as others may be reading it.
func (x *index) with(secrets []string) *index {
	out := &index{by: map[[2]byte][]pattern{}, seen: map[string]bool{}}
	if x != nil {
		out.starts = x.starts
		for k, v := range x.by {
			out.by[k] = slices.Clip(v)
		}
		for k := range x.seen {
			out.seen[k] = true
		}
	}
	for _, s := range secrets {
		out.addSecret(s)
	}
	return out
}

func (x *index) addSecret(secret string) {
	x.addPlain(secret, len(secret))
	x.addPlain(strings.ReplaceAll(secret, " ", "+"), len(secret))
	for _, part := range linesOf(secret) {
		x.addPlain(part, len(part))
	}
	for _, p := range base64Parts(secret) {
		x.add(pattern{text: p, secret: len(secret), packed: true})
		x.add(pattern{text: plainOf(p).text, secret: len(secret), packed: true})
	}
	if inHex := hex.EncodeToString([]byte(secret)); len(secret) >= minText {
		x.add(pattern{text: inHex, secret: len(secret)})
		x.add(pattern{text: strings.ToUpper(inHex), secret: len(secret)})
	}
}

// addPlain adds a text as it is, and as it is without escapes.
func (x *index) addPlain(text string, secret int) {
	word := len(text) < longWord && !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 || !isAlnum(byte(r)) })
	x.add(pattern{text: text, secret: secret, word: word})
	x.add(pattern{text: plainOf(text).text, secret: secret, word: word})
}

func (x *index) add(p pattern) {
	if len(p.text) < minText || x.seen[p.text] {
		return
	}
	x.seen[p.text] = true
	key := [2]byte{p.text[0], p.text[1]}
	x.by[key] = append(x.by[key], p)
	x.starts.add(p.text)
}

// linesOf returns the lines of a secret of many lines, such as a key, of which an output may hold a part. Lines of less than
// 8 bytes are joined with those beside them.
func linesOf(secret string) (out []string) {
	var lines []string
	for l := range strings.Lines(secret) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	if len(lines) < 2 {
		return nil
	}
	for i := range lines {
		out = append(out, joined(lines[i:]))
		back := slices.Clone(lines[:i+1])
		slices.Reverse(back)
		for j, n := 0, 0; j < len(back); j++ {
			if n += len(back[j]); n >= minName || j == len(back)-1 {
				out = append(out, strings.Join(lines[i-j:i+1], ""))
				break
			}
		}
	}
	return out
}

// joined returns the first lines that have 8 bytes or more together.
func joined(lines []string) string {
	s := ""
	for _, l := range lines {
		if s += l; len(s) >= minName {
			break
		}
	}
	return s
}

// base64Parts returns what base64 makes of a secret, whatever stands before and behind it: without the characters that
// depend on that.
func base64Parts(secret string) (out []string) {
	for before := range 3 {
		data := append(make([]byte, before), secret...)
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := e.EncodeToString(data)
			if len(data)%3 != 0 {
				text = text[:len(text)-1]
			}
			text = text[(before*8+5)/6:]
			if len(text) >= minPacked {
				out = append(out, text)
			}
		}
	}
	return out
}

// minPacked is the least number of characters of base64 that are taken for a secret.
const minPacked = 5

// span is a part of a text.
type span struct{ from, to int }

// find returns where secrets of a length or more are in a text, however it is escaped.
func (x *index) find(text string, least int) (spans []span) {
	for p := range layers(text) {
		spans = x.findIn(p, text, least, spans)
	}
	return spans
}

// findIn adds the spans of the original text in which a text without escapes has secrets.
func (x *index) findIn(p plain, original string, least int, spans []span) []span {
	s := p.text
	var cut []span // whole words but for their end
	for i := 0; i+1 < len(s); i++ {
		if !x.starts.has(s[i], s[i+1]) {
			continue
		}
		for _, c := range x.by[[2]byte{s[i], s[i+1]}] {
			end := i + len(c.text)
			if c.secret < least || !strings.HasPrefix(s[i:], c.text) {
				continue
			}
			at := p.span(i, end)
			if begins, ends := p.beginsWord(i), p.endsWord(end); c.word && !(begins && ends) {
				if begins {
					cut = append(cut, at)
				}
				if n := len(cut) - 1; ends && n >= 0 && cut[n].to >= at.from { // two secrets make the word
					spans = append(spans, span{cut[n].from, at.to})
				}
				continue
			}
			if c.secret < minName && strings.ContainsAny(original[at.from:at.to], "\r\n") {
				continue // two words
			}
			if c.packed {
				at = wholeWord(original, at)
			}
			spans = append(spans, at)
		}
	}
	return spans
}

// wholeWord returns a span with all characters of base64 beside it.
func wholeWord(text string, at span) span {
	for at.from > 0 && isBase64(text[at.from-1]) {
		at.from--
	}
	for at.to < len(text) && isBase64(text[at.to]) {
		at.to++
	}
	return at
}

func isBase64(c byte) bool { return isAlnum(c) || strings.IndexByte("+/-_=", c) >= 0 }

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// redactRanges returns a text with spans of it hidden. Those that overlap or touch are hidden as one.
func redactRanges(text string, spans []span) string {
	if len(spans) == 0 {
		return text
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	done := 0
	for i := 0; i < len(spans); {
		from, to := spans[i].from, spans[i].to
		for i++; i < len(spans) && spans[i].from <= to; i++ {
			to = max(to, spans[i].to)
		}
		b.WriteString(text[done:from])
		b.WriteString(Placeholder)
		done = to
	}
	b.WriteString(text[done:])
	return b.String()
}
