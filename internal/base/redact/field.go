package redact

import (
	"regexp"
	"strings"
)

// fieldValue returns the range of the value behind a colon in what programs print, where many a word has a colon behind
// it. It is secret as a field of JSON, YAML, a header of HTTP, or a Go value, and where the name says so. The range is empty
// otherwise.
func fieldValue(text string, colon int) (from, to int) {
	before := text[:colon]
	name := strings.TrimRight(before, " \t\"'\\")
	name = name[lastNot(name, isNameByte)+1:]
	if len(name) < 2 || !isField(before, name, text[colon+1:]) || !SecretName(name) || isWord(name) {
		return 0, 0
	}
	from = colon + 1
	for from < len(text) && (text[from] == ' ' || text[from] == '\t') {
		from++
	}
	rest := text[from:]
	line, _, _ := strings.Cut(rest, "\n")
	line = strings.TrimRight(line, " \t\r")
	if line == "" || strings.HasPrefix(rest, Placeholder) || name == "tokens" && rest[0] >= '0' && rest[0] <= '9' { // a number of them
		return 0, 0
	}
	switch quoted := strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "'"); {
	case rest[0] == '"' || rest[0] == '\'' || rest[0] == '\\':
		open := rest[:len(rest)-len(strings.TrimLeft(rest, `\`))+1] // a quote may be escaped as often as others are
		begin := from + min(len(open), len(rest))
		end := fieldQuoteEnd(text[begin:], open)
		if strings.HasPrefix(text[begin:], Placeholder) {
			return 0, 0
		}
		return begin, begin + end
	case rest[0] == '[':
		end := strings.IndexAny(line, "]")
		if end < 0 {
			end = len(line)
		}
		if strings.HasPrefix(rest, "["+Placeholder) {
			return 0, 0
		}
		return from + 1, from + end
	case rest[0] == '{':
		return 0, 0
	case quoted || inComposite(before, name) && from == colon+1:
		end := strings.IndexAny(line, " ,}])\t")
		if end < 0 {
			end = len(line)
		}
		if isPlainWord(line[:end]) {
			return 0, 0
		}
		return from, from + end
	case line[0] == '|' || line[0] == '>':
		return blockValue(text, from+len(line), indentOf(before))
	case !strings.ContainsAny(line, " \t"):
		if isPlainWord(line) {
			return 0, 0
		}
		return from, from + len(beforeLastColon(line))
	}
	first, more, _ := strings.Cut(line, " ")
	if header.MatchString(name) || isScheme(first) && !strings.Contains(strings.TrimSpace(more), " ") {
		return from, from + len(line)
	}
	return 0, 0
}

// header matches the names of HTTP headers that authenticate.
var header = regexp.MustCompile(`(?i)^(proxy-)?authorization$|^(set-)?cookie$`)

// isField reports whether a name before a colon is that of a field: in quotes, first in its line, or in a composite value.
func isField(before, name, after string) bool {
	rest := strings.TrimRight(before, " \t")
	if strings.HasSuffix(rest, `"`) || strings.HasSuffix(rest, "'") {
		return true
	}
	begin := strings.LastIndexByte(before, '\n') + 1
	lead := before[begin : len(rest)-len(name)]
	return strings.Trim(lead, " \t-*><") == "" || after != "" && after[0] != ' ' && inComposite(before, name) ||
		strings.HasPrefix(after, "[") && headerEnd.MatchString(lead) // of a list of headers
}

// headerEnd matches what a name follows in [Accept:[x] Authorization:[y]].
var headerEnd = regexp.MustCompile(`(\[|\] )$`)

// inComposite reports whether a name stands in a value such as map[name:…] or {Name:…}, as package fmt writes it.
func inComposite(before, name string) bool {
	lead := before[:len(before)-len(name)]
	if lead == "" || strings.IndexByte("{[ ", lead[len(lead)-1]) < 0 {
		return false
	}
	line := lead[strings.LastIndexByte(lead, '\n')+1:]
	return strings.Contains(line, "map[") || strings.Contains(line, "{")
}

// isPlainWord reports whether a value says nothing.
func isPlainWord(value string) bool {
	switch strings.ToLower(value) {
	case "true", "false", "null", "nil", "none", "~", "<nil>":
		return true
	}
	return false
}

// beforeLastColon returns a value without the colon behind which a message goes on.
func beforeLastColon(value string) string {
	return value[:beforeColon(value, 0, len(value))]
}

// fieldQuoteEnd returns where the quoted text that was opened ends, or the line's end if its quote is missing.
func fieldQuoteEnd(text, open string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], open):
			return i
		case len(open) == 1 && text[i] == '\\':
			i++
		}
	}
	if end := strings.IndexAny(text, "\r\n"); end >= 0 {
		return end
	}
	return len(text)
}

// indentOf returns the indentation of the last line of a text.
func indentOf(text string) int {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return len(line) - len(strings.TrimLeft(line, " "))
}

// blockValue returns the range of the lines behind an index that are indented by more.
func blockValue(text string, from, indent int) (int, int) {
	begin := from + len(text[from:]) - len(strings.TrimLeft(text[from:], " \t\r\n"))
	to := begin
	for rest := text[from:]; rest != ""; {
		line, more, ok := strings.Cut(rest, "\n")
		if strings.TrimSpace(line) != "" && len(text)-len(rest) > from {
			if indentOf(line) <= indent {
				break
			}
			to = len(text) - len(rest) + len(strings.TrimRight(line, " \t\r"))
		}
		if !ok {
			break
		}
		rest = more
	}
	if strings.HasPrefix(text[begin:], Placeholder) || to < begin {
		return 0, 0
	}
	return begin, to
}

// element matches an element of XML that has text.
var element = regexp.MustCompile(`<([A-Za-z_][\w:.-]*)(?:\s[^<>]*)?>([^<>]+)</`)

// redactElements hides the text of elements of XML with secret names.
func redactElements(text string) string {
	if !strings.Contains(text, "</") {
		return text
	}
	var spans []span
	for _, at := range element.FindAllStringSubmatchIndex(text, -1) {
		if value := text[at[4]:at[5]]; SecretName(text[at[2]:at[3]]) && strings.TrimSpace(value) != "" {
			spans = append(spans, span{at[4], at[5]})
		}
	}
	return redactRanges(text, spans)
}
