// Package shellwords splits a command line into words as a POSIX shell does, and writes words as one.
package shellwords

import (
	"fmt"
	"strings"
)

// Special are the characters that mean something to a shell where they are not quoted.
// Passing them on as they are would run something else than was typed.
const Special = "|&;<>()$`*?["

// Split splits a command line into words as a POSIX shell does, with quotes and backslashes,
// but expands nothing. A line that needs more of a shell is an error.
func Split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inside := false // a word, which may be empty: ''
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t' || c == '\n':
			if inside {
				words = append(words, word.String())
				word.Reset()
				inside = false
			}
		case c == '\'' || c == '"':
			n, err := quoted(&word, line[i:])
			if err != nil {
				return nil, err
			}
			i += n - 1
			inside = true
		case c == '\\':
			if i++; i == len(line) {
				return nil, fmt.Errorf("%q ends with a backslash", line)
			}
			if line[i] != '\n' { // which continues the line
				word.WriteByte(line[i])
				inside = true
			}
		case strings.IndexByte(Special, c) >= 0, !inside && (c == '#' || c == '~'):
			return nil, fmt.Errorf("%q has a %c, which needs a shell", line, c)
		default:
			word.WriteByte(c)
			inside = true
		}
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}

// quoted adds the text between quotes to the word, and returns its length with the quotes.
func quoted(word *strings.Builder, text string) (int, error) {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return i + 1, nil
		case quote == '\'':
			word.WriteByte(c)
		case c == '$' || c == '`':
			return 0, fmt.Errorf("%s has a %c between \" and \", which needs a shell", text, c)
		case c == '\\' && i+1 < len(text) && strings.IndexByte("$`\"\\\n", text[i+1]) >= 0:
			if i++; text[i] != '\n' {
				word.WriteByte(text[i])
			}
		default:
			word.WriteByte(c)
		}
	}
	return 0, fmt.Errorf("%s has no closing %c", text, quote)
}

// Join writes words so that a shell, or [Split], reads them again.
func Join(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w
		if w == "" || strings.ContainsAny(w, Special+" \t\n\r'\"\\#~") {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}
