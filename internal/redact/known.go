package redact

import (
	"encoding/json"
	"html"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// minText is the least length in bytes of a secret that is looked for in texts, and minName in names. Shorter ones stand in
// other words, so that hiding them would make an output unreadable.
const minText, minName = 4, 8

// known are the secrets of this process, in all spellings.
var known struct {
	sync.RWMutex
	spellings  map[string]bool
	text, name *strings.Replacer // nil: there are none
}

// Add remembers secrets: [Text] and all that is printed and recorded hide them wherever they stand, as programs may print
// what they were given. Those of less than 4 bytes are ignored.
func Add(values ...string) {
	known.Lock()
	defer known.Unlock()
	before := len(known.spellings)
	for _, v := range values {
		addSpellings(v)
		for l := range strings.Lines(v) { // of a key of many lines an output may hold a part
			if l = strings.TrimSpace(l); len(l) >= minName {
				addSpellings(l)
			}
		}
	}
	if len(known.spellings) > before {
		known.text, known.name = replacer(minText), replacer(minName)
	}
}

// AddPairs remembers the secrets in settings K=V.
func AddPairs(pairs []string) {
	var values []string
	for _, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		if SecretName(name) {
			values = append(values, value)
			continue
		}
		values = append(values, hiddenIn(value, Value("", value))...)
	}
	Add(values...)
}

// AddArgs remembers the secrets in a command line.
func AddArgs(words []string) {
	var values []string
	for i, shown := range Args(words) {
		values = append(values, hiddenIn(words[i], shown)...)
		values = append(values, hiddenIn(words[i], Value("", words[i]))...) // also of an address that is left out as a whole
		values = append(values, hiddenIn(words[i], Command(words[i]))...)   // and of a line for a shell
	}
	Add(values...)
}

// Text returns a text that programs print, or that is about them, without secrets: those of addresses and assignments in
// it, and those that were added.
func Text(text string) string {
	text = addresses(replaceKnown(text, true)) // first whole values, of which an address may end in the middle
	return redactAssignments(replaceKnown(text, false))
}

// Name returns the name of something measured without secrets. As Text, but it may hold short words that are secrets
// elsewhere.
func Name(name string) string { return replaceKnown(addresses(replaceKnown(name, true)), true) }

func replaceKnown(text string, isName bool) string {
	known.RLock()
	r := known.text
	if isName {
		r = known.name
	}
	known.RUnlock()
	if r == nil || len(text) < minText {
		return text
	}
	return r.Replace(text)
}

// replacer returns what hides the spellings of a length or more; nil if there are none.
func replacer(least int) *strings.Replacer {
	all := slices.Collect(maps.Keys(known.spellings))
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) }) // one may contain another
	var pairs []string
	for _, s := range all {
		if len(s) >= least {
			pairs = append(pairs, s, Masked)
		}
	}
	if pairs == nil {
		return nil
	}
	return strings.NewReplacer(pairs...)
}

// plainWords are values that say nothing, and words of many messages.
var plainWords = []string{"true", "false", "none", "null", "auto", "basic", "bearer", "Basic", "Bearer"}

// addSpellings adds a secret as it is and as others write it: in JSON, Go, HTML, URLs and shells. The one that was given
// may be so written, too.
func addSpellings(v string) {
	if len(v) < minText {
		return
	}
	if known.spellings == nil {
		known.spellings = map[string]bool{}
	}
	for _, plain := range []string{v, unquoted(v), unescaped(v, url.QueryUnescape), unescaped(v, url.PathUnescape)} {
		for _, s := range spellings(plain) {
			if len(s) >= minText && strings.Trim(s, "*") != "" && !slices.Contains(plainWords, s) {
				known.spellings[s] = true
			}
		}
	}
}

func spellings(v string) []string {
	inGo := strconv.Quote(v)
	ascii := strconv.QuoteToASCII(v)
	inJSON, _ := json.Marshal(v) // a string cannot fail
	user := url.UserPassword("", v).String()
	return []string{
		v, inGo[1 : len(inGo)-1], ascii[1 : len(ascii)-1], string(inJSON[1 : len(inJSON)-1]), strings.ReplaceAll(v, "'", `'\''`),
		html.EscapeString(v), url.QueryEscape(v), url.PathEscape(v), user[1:], strings.TrimSpace(v),
	}
}

// unquoted returns a word of a shell without its quotes and backslashes.
func unquoted(v string) string {
	if len(v) > 1 && (v[0] == '"' || v[0] == '\'') && v[len(v)-1] == v[0] {
		v = v[1 : len(v)-1]
	}
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		if v[i] == '\\' && i+1 < len(v) {
			i++
		}
		b.WriteByte(v[i])
	}
	return b.String()
}

func unescaped(v string, unescape func(string) (string, error)) string {
	if plain, err := unescape(v); err == nil {
		return plain
	}
	return v
}

// hiddenIn returns the parts of text that are masked in shown.
func hiddenIn(text, shown string) (out []string) {
	parts := strings.Split(shown, Masked)
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
