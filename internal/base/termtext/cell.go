package termtext

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Cell returns a text as a cell of a CSV file: on one line, without control characters, and
// behind an apostrophe where a spreadsheet would take it for a formula. Numbers stay.
func Cell(s string) string {
	if s == "" || isNumber(s) {
		return s
	}
	if strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		s = "'" + s
	}
	return Charset{UTF8: true}.Name(s)
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// WriteCSV writes rows whose cells have been through [Cell].
func WriteCSV(w io.Writer, rows [][]string) error {
	out := csv.NewWriter(w)
	for _, row := range rows {
		safe := make([]string, len(row))
		for i, c := range row {
			safe[i] = Cell(c)
		}
		if err := out.Write(safe); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// JSON returns a writer of JSON texts to w that escapes what a terminal would obey and JSON
// leaves as it is, such as control characters above ASCII and marks that reorder text. It
// escapes those of damaged JSON, too. Each call of Write must have whole characters.
func JSON(w io.Writer) io.Writer { return jsonWriter{w} }

// NewJSON returns an encoder that writes JSON values to w as JSON does, each on one line or with an indent, and < as
// it is.
func NewJSON(w io.Writer, indent string) *json.Encoder {
	e := json.NewEncoder(JSON(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	return e
}

type jsonWriter struct{ w io.Writer }

func (j jsonWriter) Write(text []byte) (int, error) {
	if isHarmless(text) {
		return j.w.Write(text)
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case isVisible(r) && r != utf8.RuneError || r == '\n' || r == '\r' || r == '\t':
			b.Write(text[i : i+n])
		case r > 0xffff: // a pair of surrogates
			r -= 0x10000
			b.WriteString(`\u` + strconv.FormatInt(int64(0xd800+r>>10), 16) + `\u` + strconv.FormatInt(int64(0xdc00+r&0x3ff), 16))
		default:
			b.WriteString(`\u` + strconv.FormatInt(int64(r)|0x10000, 16)[1:])
		}
		i += n
	}
	if _, err := io.WriteString(j.w, b.String()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// isHarmless reports whether a text is of printable ASCII and white space.
func isHarmless(text []byte) bool {
	for _, c := range text {
		if c > '~' || c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
	}
	return true
}
