package fewlines

import (
	"bytes"
	"encoding/json"
	"strings"
)

// node is a JSON value whose keys keep their order.
type node struct {
	open byte     // '{', '[', or 0 for a value without parts
	raw  string   // of a value without parts
	keys []string // of an object, as JSON
	kids []*node
}

// parse returns nil for a text that is not JSON.
func parse(text []byte) *node {
	if !json.Valid(text) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return parseNext(d)
}

func parseNext(d *json.Decoder) *node {
	t, err := d.Token()
	if err != nil {
		return nil
	}
	open, ok := t.(json.Delim)
	if !ok {
		return &node{raw: quote(t)}
	}
	n := &node{open: byte(open)}
	for d.More() {
		if n.open == '{' {
			key, _ := d.Token()
			n.keys = append(n.keys, quote(key))
		}
		n.kids = append(n.kids, parseNext(d))
	}
	d.Token() // the end
	return n
}

// quote returns the JSON of a value without parts.
func quote(x any) string {
	text, err := json.Marshal(x)
	if err != nil {
		return "null"
	}
	return string(text)
}

// get returns the value of a key, nil if there is none.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i, k := range n.keys {
		if k == quote(key) {
			return n.kids[i]
		}
	}
	return nil
}

// text returns the string that n is, "" for any other value.
func (n *node) text() (s string) {
	if n != nil {
		json.Unmarshal([]byte(n.raw), &s) // of another value nothing
	}
	return s
}

func (n *node) write(to *strings.Builder) {
	if n.open == 0 {
		to.WriteString(n.raw)
		return
	}
	to.WriteByte(n.open)
	for i, kid := range n.kids {
		if i > 0 {
			to.WriteByte(',')
		}
		if n.open == '{' {
			to.WriteString(n.keys[i] + ":")
		}
		kid.write(to)
	}
	to.WriteByte(n.open + 2) // '}' is '{' + 2, and ']' is '[' + 2
}

func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}
