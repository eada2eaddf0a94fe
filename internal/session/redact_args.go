package session

import (
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/load"
)

// secretPart matches, anywhere in the name of a flag, what makes its value a secret.
// [load.Redact] goes by the end of a name.
var secretPart = regexp.MustCompile(`(?i)(secret|passw|credential|api[-_.]?key|[-_.]key$)`)

// publicArg matches names of flags whose values tell about a secret, and are none.
var publicArg = regexp.MustCompile(`(?i)([-_.](file|path|dir|name|length|size|ttl|timeout|type|id)|^(max|min|num|n|count|total)[-_.]?tokens?)$`)

// argName is a name before a =, of a flag or a variable.
var argName = regexp.MustCompile(`^-{0,2}[A-Za-z_][\w.-]*$`)

// flagLike matches what is a flag rather than the value of the one before it. Secrets
// may begin with a dash, too: such are of capitals and digits.
var flagLike = regexp.MustCompile(`^-([A-Za-z]|-?[a-z]+([-.][a-z0-9]+)*(=.*)?)$`)

// shellWord matches a word of a text as a shell sees it, with its quotes.
var shellWord = regexp.MustCompile(`(?:"[^"]*"|'[^']*'|[^\s;|&()"'])+`)

// secretArg reports whether the value of a flag or a variable in a command line is not for
// records. Of names of one letter nobody knows.
func secretArg(name string) bool {
	name = strings.TrimLeft(name, "-")
	if len(name) < 2 || publicArg.MatchString(name) {
		return false
	}
	variable := name == strings.ToUpper(name) && isSecret(name)
	return variable || secretPart.MatchString(name) || load.Redact(name, "?") == load.Masked
}

// MaskArgs returns a command line as it may be shown and recorded: without what flags and
// variables hold whose names say that it is secret (--api-token X, --password=X, DB_KEY=X),
// without passwords in addresses, and without headers that prove who one is. It rather
// hides too much than too little.
func MaskArgs(words []string) []string {
	out := slices.Clone(words)
	prev := ""
	for i, w := range words {
		out[i] = MaskArg(prev, w)
		prev = w
	}
	return out
}

// gateWord matches an objective of --gate with a filter, which looks like user:password@host.
var gateWord = regexp.MustCompile(`^(--gate=)?(slower|more):[\d.]+%?(:proven)?@`)

// MaskArg masks a word of a command line. prev is the word before it, "" if
// there is none.
func MaskArg(prev, word string) string {
	if hidden, ok := maskNamed(prev, word); ok {
		return hidden
	}
	if gateWord.MatchString(word) {
		return load.Redact("", word)
	}
	if strings.ContainsAny(word, " \t\n") {
		return MaskText(word)
	}
	return maskLogin(load.Redact("", word))
}

// maskNamed masks what a name before it, in the same word or in that before, says about a
// value. It reports whether there is such a name.
func maskNamed(prev, word string) (string, bool) {
	name, value, joined := strings.Cut(word, "=")
	switch {
	case word == "":
		return word, true
	case prev == "--env":
		return MaskPair(word), true
	case prev == "--side-env":
		return maskSidePair(word), true
	case prev == "--url":
		return HostOf(word), true
	case joined && name == "--env":
		return name + "=" + MaskPair(value), true
	case joined && name == "--side-env":
		return name + "=" + maskSidePair(value), true
	case joined && name == "--url":
		return name + "=" + HostOf(value), true
	case strings.HasPrefix(prev, "-") && argName.MatchString(prev) && secretArg(prev) && !flagLike.MatchString(word):
		return Masked, true
	case joined && value != "" && argName.MatchString(name) && secretArg(name) && !holdsScript(prev, word):
		return name + "=" + Masked, true
	}
	return "", false
}

// holdsScript reports whether a word is itself a command line. In "PASSWORD=x command" only x is secret.
func holdsScript(prev, word string) bool {
	shell := len(prev) > 1 && prev[0] == '-' && prev[1] != '-' && strings.HasSuffix(prev, "c") // sh -c, bash -lc
	return strings.ContainsAny(word, " \t\n") && (shell || prev == "--vs" || prev == "--prepare")
}

// MaskText does what MaskArgs does for a text, such as a line for a shell.
func MaskText(text string) string {
	text = load.Redact("", text)
	var b strings.Builder
	prev, done := "", 0
	for _, at := range shellWord.FindAllStringIndex(text, -1) {
		b.WriteString(text[done:at[0]])
		done = at[1]
		word := text[at[0]:at[1]]
		if q := word[:1]; len(word) > 1 && (q == `"` || q == "'") && strings.IndexByte(word[1:], q[0]) == len(word)-2 {
			word = word[1 : len(word)-1]
			b.WriteString(q + MaskArg(prev, word) + q)
		} else if hidden, ok := maskNamed(prev, word); ok {
			b.WriteString(hidden)
		} else {
			b.WriteString(maskLogin(word))
		}
		prev = word
	}
	b.WriteString(text[done:])
	return b.String()
}

// maskLogin hides the password of user:password@host, as drivers of databases have it.
func maskLogin(word string) string {
	colon, at := strings.IndexByte(word, ':'), strings.LastIndexByte(word, '@')
	if colon < 0 || at <= colon+1 || strings.HasPrefix(word[colon:], "://") || strings.Contains(word[:colon], "/") {
		return word
	}
	return word[:colon+1] + Masked + word[at:]
}

// TypedArgs returns the words behind the verb.
func TypedArgs() []string { return os.Args[min(len(os.Args), 2):] }

// WithArgs adds what MaskArgs hides of a command line: a program may print it too.
func (r Redactor) WithArgs(words []string) Redactor {
	var pairs []string
	for i, shown := range MaskArgs(words) {
		for _, v := range hiddenIn(words[i], shown) {
			pairs = append(pairs, "secret="+v) // NewRedactor goes by names
		}
	}
	return append(r, NewRedactor(pairs...)...)
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

// HostOf returns an address without user, password and query.
func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "the address"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}
