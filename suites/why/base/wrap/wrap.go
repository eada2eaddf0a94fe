// Package wrap breaks text into lines.
package wrap

import "strings"

// Lines breaks a text at blanks into lines of at most width bytes. A longer word has a line of its own.
func Lines(text string, width int) string {
	var out strings.Builder
	out.Grow(len(text) + len(text)/16)
	column := 0
	for word := range words(text) {
		if column > 0 && column+1+len(word) > width {
			out.WriteByte('\n')
			column = 0
		}
		if column > 0 {
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += len(word)
	}
	return out.String()
}

// words yields what is between blanks.
func words(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start := -1
		for i := 0; i < len(text); i++ {
			switch blank := text[i] == ' ' || text[i] == '\n'; {
			case blank && start >= 0:
				if !yield(text[start:i]) {
					return
				}
				start = -1
			case !blank && start < 0:
				start = i
			}
		}
		if start >= 0 {
			yield(text[start:])
		}
	}
}

// Longest returns the length of the longest line.
func Longest(text string) int {
	longest := 0
	for line := range strings.SplitSeq(text, "\n") {
		longest = max(longest, len(line))
	}
	return longest
}
