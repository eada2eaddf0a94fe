// Package redact hides secrets in what is shown and recorded: passwords, tokens, signed addresses.
package redact

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Placeholder is the text that replaces a secret in output.
const Placeholder = "***"

// Value returns a value in a form that may be shown and recorded: what is hidden stands at load.Redact, which is this
// function for programs of users.
func Value(name, value string) string {
	if value == "" {
		return ""
	}
	if SecretName(name) {
		return Placeholder
	}
	return redactPairs(redactParameters(redactDrivers(redactURLs(redactProofs(value)))))
}

// redactURLs hides the password in scheme://user:password@host. Without an @, it
// hides the text after scheme:// up to the next white space.
func redactURLs(text string) string {
	const mark = "://"
	var b strings.Builder
	for {
		at := strings.Index(text, mark)
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		lone := loneUserIsSecret(text[lastNot(text[:at], isSchemeByte)+1:])
		b.WriteString(text[:at+len(mark)])
		text = text[at+len(mark):]
		colon, end := strings.IndexByte(text, ':'), strings.LastIndexByte(text, '@')
		if colon == 0 && end < 0 {
			if end = strings.IndexAny(text, " \t\r\n"); end < 0 {
				end = len(text)
			}
		}
		if colon >= 0 && colon < end {
			b.WriteString(text[:colon+1])
			b.WriteString(Placeholder)
			text = text[end:]
		} else if user := loneUser(text); user > 0 && (lone || looksRandom(text[:user])) {
			b.WriteString(Placeholder)
			text = text[user:]
		}
	}
}

// userSchemes are those in whose URLs a user without a password is a name. In others it may be a token: https://TOKEN@host.
var userSchemes = regexp.MustCompile(`(?i)^(?:ssh|git|(?:git|svn|bzr|hg)\+ssh|sftp|scp|ftps?|rsync|postgres(?:ql)?|cockroach(?:db)?|mysql|mariadb|mongodb(?:\+srv)?|sqlserver|oracle|clickhouse|ldaps?|smtps?|imaps?|pop3s?|telnet|rdp|vnc|nfs|smb|cifs|xmpp|sips?|docker|unix|file):`)

// loneUserIsSecret reports whether a user without a password is hidden in a URL.
func loneUserIsSecret(url string) bool { return !userSchemes.MatchString(url) }

func isSchemeByte(c byte) bool { return isAlnum(c) || c == '+' || c == '-' || c == '.' }

// loneUser returns the length of the user in user@host, or 0 if there is none.
func loneUser(text string) int {
	if end := strings.IndexAny(text, "/?# \t\r\n"); end >= 0 {
		text = text[:end]
	}
	return max(strings.LastIndexByte(text, '@'), 0)
}

// redactPairs hides the text after secret names and = or a colon.
func redactPairs(line string) string { return redactValues(line, true) }

// redactAssignments hides the text after secret names and =. In what programs print, a colon follows many a word.
func redactAssignments(line string) string { return redactValues(line, false) }

func redactValues(line string, colons bool) string {
	var b strings.Builder
	for {
		from, to := secretValue(line, colons)
		if from < 0 {
			b.WriteString(line)
			return b.String()
		}
		b.WriteString(line[:from])
		if assigned, ok := strings.CutSuffix(strings.TrimRight(line[:from], " \t"), "="); ok && isPlainSetting(decodedName(nameBefore(assigned)), line[from:to]) {
			b.WriteString(line[from:to])
		} else {
			b.WriteString(Placeholder)
		}
		line = line[to:]
	}
}

// secretValue returns the range of the first value that belongs to a secret name, or
// a negative number.
func secretValue(line string, colons bool) (from, to int) {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == ':' && colons:
			if name := nameBefore(line[:i]); !SecretName(name) || isWord(name) {
				continue
			}
		case line[i] == ':':
			if from, to = fieldValue(line, i); from < to {
				return from, to
			}
			continue
		case line[i] != '=':
			continue
		default:
			name := nameBefore(line[:i])
			if !colons && (strings.HasPrefix(line[i:], "==") || strings.HasSuffix(line[:i], "=") || name == "tokens") { // code, and a number
				continue
			}
			if !secretParameter(decodedName(name)) && !(isParameter(line[:i], name) && signs(name)) {
				continue
			}
		}
		from = i + 1
		quote := openQuote(line[:i])
		for from < len(line) && (line[from] == ' ' || line[from] == '\t') {
			from++
		}
		if !colons && strings.HasPrefix(line[from:], Placeholder) {
			continue // hidden before, up to where its address ends
		}
		if to = valueEnd(line, from, line[i] == ':'); line[i] == '=' {
			to = beforeColon(line, from, to)
		}
		if at := closingQuote(line[from:], quote); line[i] == '=' && at >= 0 {
			to = from + at
		}
		if to > from {
			return from, to
		}
	}
	return -1, -1
}

// nameBefore returns the name at the end of a text, whose quotes and blanks do not count. It may have the brackets and the
// escapes of a parameter: auth[token], pass%77ord.
func nameBefore(text string) string {
	name := strings.TrimRight(text, " \t\"'`\\")
	return name[lastNot(name, isParameterByte)+1:]
}

func isParameterByte(c byte) bool { return isNameByte(c) || c == '[' || c == ']' || c == '%' }

// secretParameter reports whether the value of a parameter is secret by its name, which may have parts in brackets.
func secretParameter(name string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return r == '[' || r == ']' }), SecretName)
}

// decodedName returns the name of a parameter without the escapes of URLs, which may be escaped themselves.
func decodedName(name string) string {
	for strings.Contains(name, "%") {
		plain := unescaped(name, url.QueryUnescape)
		if plain == name {
			break
		}
		name = plain
	}
	return name
}

// openQuote returns the quote with which the last word begins, as in -X 'main.token=a b'; 0 if there is none, or it is
// closed.
func openQuote(text string) byte {
	word := text[strings.LastIndexAny(text, " \t\r\n=")+1:]
	if word == "" || word[0] != '\'' && word[0] != '"' || strings.IndexByte(word[1:], word[0]) >= 0 {
		return 0
	}
	return word[0]
}

// isWord reports whether a name before a colon is rather a word of a message, as in "session: closed".
func isWord(name string) bool {
	switch name {
	case "session", "sessions", "private", "authentication", "webhook":
		return true
	}
	return false
}

// closingQuote returns the index of the quote that ends a quoted text, or -1. A backslash escapes the next byte.
func closingQuote(text string, quote byte) int {
	for i := 0; quote != 0 && i < len(text); i++ {
		switch {
		case text[i] == quote:
			return i
		case text[i] == '\\':
			i++
		}
	}
	return -1
}

// isParameter reports whether a name, which ends before, is that of a parameter of a URL.
func isParameter(before, name string) bool {
	before = strings.TrimSuffix(before, name)
	return before != "" && strings.ContainsRune("?&;", rune(before[len(before)-1]))
}

// signs reports whether the parameter of a URL makes the address itself a secret: in signed links, and as the key of a
// service.
func signs(name string) bool {
	switch strings.ToLower(name) {
	case "sig", "key", "hmac", "code", "pwd", "sid":
		return true
	}
	return false
}

// valueEnd returns the end of a secret value that begins at from: the end of the line after a colon, else the next white
// space that is neither escaped nor within the quotes or the substitution of a shell.
func valueEnd(line string, from int, whole bool) int {
	lineEnd := len(line)
	if n := strings.IndexAny(line[from:], "\r\n"); n >= 0 {
		lineEnd = from + n
	}
	if whole {
		return lineEnd
	}
	for i := from; i < len(line); {
		c := line[i]
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			return i
		}
		n := 1
		if strings.IndexByte("'\"`$\\", c) >= 0 {
			n = quotedEnd(line[i:])
		}
		if i == from && c == '\'' { // a database's settings escape the quote, and a shell does not
			if at := closingQuote(line[i+1:], '\''); at >= 0 {
				n = max(n, at+2)
			}
		}
		switch {
		case n > 0 && (i == from || i+n <= lineEnd || c == '\\'):
		case i == from && c != '$': // its end is missing
			return len(line)
		case c == '$':
			return lineEnd
		default: // an apostrophe
			n = 1
		}
		i += n
	}
	return len(line)
}

// beforeColon returns the end of a value without a last colon, behind which a message says what is wrong with it. A colon
// alone is a value.
func beforeColon(text string, from, to int) int {
	if to-from > 1 && text[to-1] == ':' {
		return to - 1
	}
	return to
}

// lastNot returns the index of the last byte that is not of a kind, or -1.
func lastNot(s string, is func(byte) bool) int {
	i := len(s) - 1
	for i >= 0 && is(s[i]) {
		i--
	}
	return i
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}
