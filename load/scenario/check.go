package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/tarebench/tare/load"
)

// check returns an error unless the response is what the step wants. Without a wanted status, an unexpected one is of
// the class that it has for other targets.
func (w *worker) check(s *step) error {
	c := &s.check
	if c.statusText == "" {
		if err := c.status.Check(w.status); err != nil {
			return err
		}
	} else if !c.status.Has(w.status) {
		return failed("status %d %s, want %s", w.status, http.StatusText(w.status), c.statusText)
	}
	body := w.body.Bytes()
	if c.body != nil {
		w.text = c.body.append(w.text[:0], &w.values)
		if !bytes.Contains(body, w.text) {
			return failed("the body does not have the wanted text")
		}
	}
	if c.regexp != nil && !c.regexp.Match(body) {
		return failed("the body does not match the regular expression")
	}
	for i := range c.json {
		x := &c.json[i]
		value, err := x.path.find(body)
		if err != nil {
			return failed("json %s: %w", x.text, err)
		}
		if w.text = x.want.append(w.text[:0], &w.values); !isJSONValue(value, w.text) {
			return failed("json %s: the value is another one", x.text)
		}
	}
	return nil
}

func failed(format string, args ...any) error {
	return load.WithClass(load.ClassCheck, fmt.Errorf("check: "+format, args...))
}

// isJSONValue reports whether a JSON value is what a text says: a number of the same value, or the same
// text.
func isJSONValue(value, want []byte) bool {
	text := appendJSONText(nil, value)
	if bytes.Equal(text, want) {
		return true
	}
	if len(value) == 0 || value[0] == '"' || !json.Valid(want) {
		return false
	}
	a, err := strconv.ParseFloat(string(value), 64)
	b, err2 := strconv.ParseFloat(string(want), 64)
	return errors.Join(err, err2) == nil && a == b
}
