package redact

import (
	"encoding/base64"
	"net/url"
	"strings"
	"sync"
)

// minText is the least length in bytes of a secret that is searched for in texts, and minName in names. Shorter ones stand in
// other words, so that hiding them would make an output unreadable.
const minText, minName = 4, 8

// known are the secrets of this process.
var known struct {
	sync.RWMutex
	values map[string]bool
	index  *index          // nil: there are none
	common map[string]bool // names of this user, host and database, which are not searched for
}

// Add remembers secrets: [Text] and all that is printed and recorded hide them wherever they stand, as programs may print
// what they were given. Those of less than 4 bytes are ignored, and common words; see [isCommon].
func Add(values ...string) {
	known.Lock()
	defer known.Unlock()
	var added []string
	for _, v := range values {
		for _, v := range []string{v, shellPlain(v), unescaped(v, url.QueryUnescape), unescaped(v, url.PathUnescape), strings.TrimSpace(v)} {
			if len(v) < minText || known.values[v] || strings.Trim(v, "*") == "" || isCommon(v) {
				continue
			}
			if known.values == nil {
				known.values = map[string]bool{}
			}
			known.values[v] = true
			added = append(added, v)
		}
	}
	if added != nil {
		known.index = known.index.with(added)
	}
}

// AddPairs remembers the secrets in settings K=V.
func AddPairs(pairs []string) {
	addCommon(pairs)
	var values []string
	for _, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		if SecretName(name) {
			values = append(values, value)
			values = append(values, partsOf(value)...)
		}
		values = append(values, hiddenParts(value, Value("", value))...)
	}
	Add(values...)
}

// AddArgs remembers the secrets in a command line.
func AddArgs(words []string) {
	var values []string
	for i, shown := range Args(words) {
		values = append(values, hiddenParts(words[i], shown)...)
		values = append(values, hiddenParts(words[i], Value("", words[i]))...) // also of an address that is left out as a whole
		values = append(values, hiddenParts(words[i], Command(words[i]))...)   // and of a line for a shell
	}
	Add(values...)
}

// hiddenParts returns what is hidden in shown of a text, whole and in parts.
func hiddenParts(text, shown string) (out []string) {
	for _, v := range hiddenIn(text, shown) {
		out = append(out, v)
		out = append(out, partsOf(v)...)
		if strings.Contains(text, "://") && !strings.ContainsAny(v, " \t\r\n") && !strings.Contains(v, "://") { // it may be read as a path, too
			out = append(out, strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("/?#@", r) })...)
		}
	}
	return out
}

// partsOf returns the parts of a secret that another program may print alone: what follows a scheme of authentication,
// and the arguments of an echo in a shell's command substitution.
func partsOf(v string) (out []string) {
	plain := shellPlain(v)
	if scheme, rest, ok := strings.Cut(plain, " "); ok && isScheme(scheme) {
		out = append(out, rest)
		if data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest)); err == nil {
			_, password, _ := strings.Cut(string(data), ":")
			out = append(out, string(data), password)
		}
	}
	for _, inner := range substitutions(v) {
		if words := shellWords(inner); len(words) > 1 && isEcho(words[0]) {
			out = append(out, words[1:]...)
			out = append(out, strings.Join(words[1:], " "))
		}
	}
	return out
}

// isScheme reports whether a word is a scheme of HTTP authentication.
func isScheme(word string) bool {
	switch strings.ToLower(word) {
	case "basic", "bearer", "token", "digest", "apikey", "negotiate":
		return true
	}
	return false
}

// Text returns a text that programs print, or that is about them, without secrets: those of addresses and assignments in
// it, and those that were added.
func Text(text string) string {
	text = addresses(replaceKnown(text, minName)) // first whole values, of which an address may end in the middle
	return redactElements(redactAssignments(hideCut(replaceKnown(text, minText))))
}

// hideCut hides the beginning of a secret before an ellipsis, by which a text was cut, and the end of one behind it.
func hideCut(text string) string {
	const ellipsis = "…"
	if !strings.Contains(text, ellipsis) {
		return text
	}
	known.RLock()
	defer known.RUnlock()
	var spans []span
	for from := 0; ; {
		at := strings.Index(text[from:], ellipsis)
		if at < 0 {
			return redactRanges(text, spans)
		}
		at += from
		from = at + len(ellipsis)
		before := strings.TrimRight(text[:at], "\"'")
		begin, end := 0, 0
		for v := range known.values {
			begin, end = max(begin, cutBegin(before, v)), max(end, cutEnd(text[from:], v))
		}
		if begin > 0 {
			spans = append(spans, span{len(before) - begin, len(before)})
		}
		if end > 0 {
			spans = append(spans, span{from, from + end})
		}
	}
}

// cutBegin returns the length in bytes of the beginning of a secret with which a text ends, 0 if it is short.
func cutBegin(text, secret string) int {
	for n := min(len(secret), len(text)); n >= minCut; n-- {
		if strings.HasSuffix(text, secret[:n]) {
			return n
		}
	}
	return 0
}

// Tail is Text for the end of a text whose beginning was cut off. It hides the end of a secret that was cut, too.
func Tail(text string) string {
	known.RLock()
	cut := 0
	for v := range known.values {
		cut = max(cut, cutEnd(text, v))
		for l := range strings.Lines(v) {
			cut = max(cut, cutEnd(text, strings.TrimSpace(l)))
		}
	}
	known.RUnlock()
	if cut > 0 {
		text = Placeholder + text[cut:]
	}
	return Text(text)
}

// cutEnd returns the length in bytes of the end of a secret with which a text begins, 0 if it is short.
func cutEnd(text, secret string) int {
	for n := min(len(secret), len(text)); n >= minCut; n-- {
		if strings.HasSuffix(secret, text[:n]) {
			return n
		}
	}
	return 0
}

// minCut is the least length in bytes of a part of a secret that is hidden where a text was cut.
const minCut = 4

// Name returns the name of something measured without secrets. As Text, but it may hold short words that are secrets
// elsewhere.
func Name(name string) string {
	return replaceKnown(addresses(replaceKnown(name, minName)), minName)
}

// replaceKnown hides the secrets of a length or more.
func replaceKnown(text string, least int) string {
	known.RLock()
	x := known.index
	known.RUnlock()
	if x == nil || len(text) < minText {
		return text
	}
	return redactRanges(text, x.find(text, least))
}

func unescaped(v string, unescape func(string) (string, error)) string {
	if plain, err := unescape(v); err == nil {
		return plain
	}
	return v
}

// hiddenIn returns the parts of text that shown has placeholders for.
func hiddenIn(text, shown string) (out []string) {
	parts := strings.Split(shown, Placeholder)
	text, ok := strings.CutPrefix(text, parts[0])
	for i, p := range parts[1:] {
		end := strings.Index(text, p)
		if i == len(parts)-2 { // the last one is the end of the text
			end = len(text) - len(p)
		}
		if !ok || end < 0 {
			return out
		}
		out = append(out, text[:end])
		text = text[end+len(p):]
	}
	return out
}
