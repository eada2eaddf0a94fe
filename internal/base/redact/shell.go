package redact

import "strings"

// shellStops end a word of a shell, where they are neither quoted nor escaped.
const shellStops = " \t\n;|&()<>"

// wordEnd returns the end of the word of a shell that begins at an index: before one of stops that is neither quoted, nor
// escaped, nor within a substitution. It reports whether all quotes and substitutions in the word are closed; if one is
// not, the word takes the rest of the text.
func wordEnd(text string, from int, stops string) (end int, closed bool) {
	for i := from; i < len(text); {
		if strings.IndexByte(stops, text[i]) >= 0 && !isProcess(text[i:]) {
			return i, true
		}
		n := quotedEnd(text[i:])
		if n < 0 {
			return len(text), false
		}
		i += n
	}
	return len(text), true
}

// quotedEnd returns the length of what a text begins with: a quoted text, a substitution, an escaped character, or one
// character. It returns -1 if the end is missing.
func quotedEnd(text string) int {
	switch {
	case text[0] == '\\':
		return min(2, len(text))
	case text[0] == '\'':
		if end := strings.IndexByte(text[1:], '\''); end >= 0 {
			return end + 2
		}
		return -1
	case text[0] == '"', text[0] == '`':
		return enclosedEnd(text, 1, text[0])
	case strings.HasPrefix(text, "$'"): // with backslashes
		return enclosedEnd(text, 2, '\'')
	case strings.HasPrefix(text, "$("), isProcess(text):
		return enclosedEnd(text, 2, ')')
	case strings.HasPrefix(text, "${"):
		return enclosedEnd(text, 2, '}')
	}
	return 1
}

// isProcess reports whether a text begins with a substitution by the name of a pipe: <(…) or >(…).
func isProcess(text string) bool {
	return strings.HasPrefix(text, "<(") || strings.HasPrefix(text, ">(")
}

// enclosedEnd returns the length of a text up to the character that closes it, -1 if that is missing.
func enclosedEnd(text string, from int, end byte) int {
	for i := from; i < len(text); {
		n := 1
		switch c := text[i]; {
		case c == end:
			return i + 1
		case c == '\\':
			n = 2
		case end == '\'', end == '`', end == '"' && c != '`' && c != '$', c == '$' && strings.HasPrefix(text[i:], "$'") && end == '"':
		case end == ')' && c == '(':
			n = enclosedEnd(text[i:], 1, ')')
		default:
			n = quotedEnd(text[i:])
		}
		if n < 0 {
			return -1
		}
		i += n
	}
	return -1
}

// shellWords returns the words of a line for a shell without their quotes.
func shellWords(line string) (out []string) {
	for i := 0; i < len(line); {
		if strings.IndexByte(shellStops, line[i]) >= 0 {
			i++
			continue
		}
		end, _ := wordEnd(line, i, shellStops)
		out = append(out, shellPlain(line[i:end]))
		i = end
	}
	return out
}

// shellPlain returns a word of a shell without its quotes and backslashes. Substitutions stay.
func shellPlain(word string) string {
	if !strings.ContainsAny(word, `'"\`) {
		return word
	}
	var b strings.Builder
	for i := 0; i < len(word); {
		n := quotedEnd(word[i:])
		part := word[i:]
		if n > 0 {
			part = word[i : i+n]
		}
		switch {
		case strings.HasPrefix(part, `\`):
			b.WriteString(strings.TrimPrefix(part[1:], "\n"))
		case n < 2: // a quote without an end, too
			n = 1
			b.WriteString(word[i : i+1])
		case part[0] == '\'':
			b.WriteString(part[1 : n-1])
		case part[0] == '"':
			b.WriteString(withoutBackslashes(part[1 : n-1]))
		case strings.HasPrefix(part, "$'"):
			b.WriteString(withoutBackslashes(part[2 : n-1]))
		default:
			b.WriteString(part)
		}
		i += n
	}
	return b.String()
}

func withoutBackslashes(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		if text[i] != '\n' || text[max(0, i-1)] != '\\' {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// substitution returns where the first $(…) or `…` of a word begins and ends, and whether there is one.
func substitution(word string) (from, to int, ok bool) {
	for i := 0; i < len(word); i++ {
		switch {
		case word[i] == '\\':
			i++
		case strings.HasPrefix(word[i:], "$("), isProcess(word[i:]), word[i] == '`':
			if n := quotedEnd(word[i:]); n > 1 {
				return i, i + n, true
			}
		}
	}
	return 0, 0, false
}

// innerOf returns what is within the marks of a substitution.
func innerOf(substitution string) (open, inner, end string) {
	n := len(substitution) - 1
	if substitution[0] == '`' {
		return "`", substitution[1:n], "`"
	}
	return substitution[:2], substitution[2:n], substitution[n:]
}

// substitutions returns the lines that the shell runs within a word.
func substitutions(word string) (out []string) {
	for {
		from, to, ok := substitution(word)
		if !ok {
			return out
		}
		_, inner, _ := innerOf(word[from:to])
		out = append(out, inner)
		out = append(out, substitutions(inner)...)
		word = word[to:]
	}
}

// isEcho reports whether a command prints its words.
func isEcho(command string) bool { return command == "echo" || command == "printf" }
