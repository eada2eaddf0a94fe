package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"unicode/utf8"
)

// cutRun reports whether a text may be a run line that was cut off in its kind.
func cutRun(text []byte) bool { return bytes.HasPrefix([]byte(`{"k":"run"`), text) }

// sniff returns a noun for an input that begins with head and is no record file. It
// recognises files that are often in the same directory.
func sniff(head []byte) string {
	magics := []struct{ start, found string }{
		{"\x1f\x8b", "gzip-compressed data"},
		{"\x28\xb5\x2f\xfd", "zstd-compressed data"},
		{"\xff\xfe", "a text in UTF-16"},
		{"\xfe\xff", "a text in UTF-16"},
		{"#[Histogram log format", "a histogram log"},
		{"#[StartTime", "a histogram log"},
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.start)) {
			return m.found
		}
	}
	if !textual(head) {
		return "binary data"
	}
	trimmed := bytes.TrimSpace(head)
	switch {
	case len(trimmed) == 0:
		return "a text of nothing but space"
	case trimmed[0] == '{' || trimmed[0] == '[':
		return sniffJSON(trimmed)
	case bytes.HasPrefix(trimmed, []byte("<")):
		return "HTML or XML"
	case regexp.MustCompile(`(?m)^(goos: |goarch: |pkg: |cpu: |Benchmark\S+\s+\d+\s)`).Match(head):
		return "a Go benchmark text"
	}
	return fmt.Sprintf("a text that begins with %.20q", trimmed)
}

// sniffJSON returns a noun for an input whose first line may be JSON.
func sniffJSON(text []byte) string {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	var probe map[string]json.RawMessage
	if json.Unmarshal(first, &probe) != nil {
		// One value over many lines, an array, or not JSON at all.
		return "JSON of another kind"
	}
	if kind, err := kindOf(first); err == nil {
		return fmt.Sprintf("a line of kind %.20q before the run line", kind)
	}
	if probe["Action"] != nil {
		return "the output of go test -json"
	}
	if probe["results"] != nil {
		return "a result (tare --format json), which cannot be converted back to a record"
	}
	return "JSON of another kind"
}

// textual reports whether head is UTF-8 text, whose last character may be cut.
func textual(head []byte) bool {
	for len(head) > 0 {
		c, n := utf8.DecodeRune(head)
		if c == utf8.RuneError && n == 1 && utf8.FullRune(head) {
			return false
		}
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1b' {
			return false
		}
		head = head[n:]
	}
	return true
}
