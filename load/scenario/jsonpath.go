package scenario

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A jsonPath names a value in a JSON document: names of members and indexes of arrays.
type jsonPath []jsonStep

type jsonStep struct {
	name  string
	index int // of an array; -1 if the name is no number
}

// parseJSONPath reads a path such as items.0.id. A backslash before a dot makes it part of a name.
func parseJSONPath(text string) (jsonPath, error) {
	switch {
	case strings.HasPrefix(text, "$"):
		return nil, fmt.Errorf("%q: JSONPath is not supported: write names and indexes with dots between them, as items.0.id", text)
	case strings.ContainsAny(text, "[]*"):
		return nil, fmt.Errorf("%q: brackets and wildcards are not supported: write items.0.id", text)
	}
	var path jsonPath
	var name strings.Builder
	add := func() error {
		if name.Len() == 0 {
			return fmt.Errorf("%q: want names and indexes with dots between them, as items.0.id", text)
		}
		s := jsonStep{name: name.String(), index: -1}
		if n, err := strconv.ParseUint(s.name, 10, 31); err == nil && s.name == strconv.FormatUint(n, 10) {
			s.index = int(n)
		}
		path = append(path, s)
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
				return nil, err
			}
		default:
			name.WriteByte(text[i])
		}
	}
	if err := add(); err != nil {
		return nil, err
	}
	return path, nil
}

// Errors of a search in a JSON document.
var (
	errNoValue = errors.New("there is no such value")
	errNotJSON = errors.New("the body is not JSON")
)

// find returns the text of the value at the path in a document, without the space around it. It
// reads the document only up to the end of that value, and so does not see what is wrong behind
// it. Of equal names the first counts.
func (p jsonPath) find(doc []byte) ([]byte, error) {
	s := jsonScanner{doc: doc}
	for _, step := range p {
		s.space()
		var err error
		switch s.next() {
		case '{':
			err = s.enterObject(step.name)
		case '[':
			err = s.enterArray(step.index)
		default:
			if err = s.skip(0); err == nil {
				err = errNoValue
			}
		}
		if err != nil {
			return nil, err
		}
	}
	s.space()
	from := s.at
	if err := s.skip(0); err != nil {
		return nil, err
	}
	return doc[from:s.at], nil
}
