package scenario

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/tidwall/gjson"
)

// A jsonPath names a value in a JSON document: names of members and indexes of arrays, as package gjson writes them.
type jsonPath string

// parseJSONPath reads a path such as items.0.id. A backslash before a dot makes it part of a name.
func parseJSONPath(text string) (jsonPath, error) {
	switch {
	case strings.HasPrefix(text, "$"):
		return "", fmt.Errorf("%q: JSONPath is not supported: write names and indexes with dots between them, as items.0.id", text)
	case strings.ContainsAny(text, "[]*"):
		return "", fmt.Errorf("%q: brackets and wildcards are not supported: write items.0.id", text)
	}
	var path []string
	var name strings.Builder
	add := func() error {
		if name.Len() == 0 {
			return fmt.Errorf("%q: want names and indexes with dots between them, as items.0.id", text)
		}
		path = append(path, gjson.Escape(name.String()))
		name.Reset()
		return nil
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			name.WriteByte(text[i])
		case text[i] == '.':
			if err := add(); err != nil {
				return "", err
			}
		default:
			name.WriteByte(text[i])
		}
	}
	if err := add(); err != nil {
		return "", err
	}
	return jsonPath(strings.Join(path, ".")), nil
}

// Errors of a search in a JSON document.
var (
	errNoValue = errors.New("there is no such value")
	errNotJSON = errors.New("the body is not JSON")
)

// find returns the text of the value at the path in a document, without the space around it, in the bytes of the document. It
// reads the document only up to the end of that value, and so does not see what is wrong behind it. Of equal names the first
// counts.
func (p jsonPath) find(doc []byte) ([]byte, error) {
	text := unsafe.String(unsafe.SliceData(doc), len(doc)) // GetBytes would copy the value
	switch r := gjson.Get(text, string(p)); {
	case r.Exists() && gjson.Valid(r.Raw):
		return unsafe.Slice(unsafe.StringData(r.Raw), len(r.Raw)), nil
	case gjson.Valid(text):
		return nil, errNoValue
	}
	return nil, errNotJSON
}

// appendJSONText appends the text of a value: of a string without its quotes, of others as they are written.
func appendJSONText(dst, value []byte) []byte {
	if len(value) >= 2 && value[0] == '"' {
		return append(dst, gjson.Parse(unsafe.String(unsafe.SliceData(value), len(value))).Str...)
	}
	return append(dst, value...)
}
