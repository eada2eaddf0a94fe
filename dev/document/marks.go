package document

import (
	"fmt"
	"os"
	"strings"
)

// Update replaces a file's text by what change returns for it. If change fails, the file stays
// as it is.
func Update(path string, change func(text string) (string, error)) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text, err := change(string(old))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if text == string(old) {
		return nil
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// Between returns the text between the marks of this name. It fails if the text does not have both.
func Between(text, name string) (string, error) {
	_, inside, _, err := cut(text, name)
	return inside, err
}

// Replace puts body, whole lines, between the marks of this name. It fails if the text does not
// have both.
func Replace(text, name, body string) (string, error) {
	before, _, after, err := cut(text, name)
	if err != nil {
		return text, err
	}
	return before + body + after, nil
}

// cut splits a text at its marks, which stay with what is around them.
func cut(text, name string) (before, inside, after string, err error) {
	begin, end := "<!-- "+name+": begin -->\n", "<!-- "+name+": end -->"
	at := strings.Index(text, begin)
	if at < 0 {
		return text, "", "", missing(begin, end)
	}
	at += len(begin)
	n := strings.Index(text[at:], end)
	if n < 0 {
		return text, "", "", missing(begin, end)
	}
	return text[:at], text[at : at+n], text[at+n:], nil
}

func missing(begin, end string) error {
	return fmt.Errorf("has no lines %s and %s to write between", strings.TrimSpace(begin), end)
}
