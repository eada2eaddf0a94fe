package scenario

import (
	"encoding/json"

	"go.yaml.in/yaml/v3"
)

// A jsonWriter makes a template of a YAML value, as JSON in one line.
type jsonWriter struct {
	r     *stepReader
	t     template
	plain []byte
}

// flush adds the text at hand to the template.
func (w *jsonWriter) flush() {
	if len(w.plain) > 0 {
		w.t.parts = append(w.t.parts, part{text: string(w.plain)})
		w.plain = nil
	}
}

func (w *jsonWriter) value(n *yaml.Node, path string, depth int) {
	switch n = follow(n); n.Kind {
	case yaml.MappingNode:
		w.object(n, path, depth)
	case yaml.SequenceNode:
		w.plain = append(w.plain, '[')
		for i, x := range elements(n) {
			if i > 0 {
				w.plain = append(w.plain, ',')
			}
			w.value(x, path, depth+1)
		}
		w.plain = append(w.plain, ']')
	default:
		w.scalar(n, path)
	}
}

func (w *jsonWriter) object(n *yaml.Node, path string, depth int) {
	w.plain = append(w.plain, '{')
	first := true
	pairs(n, func(key, value *yaml.Node) {
		if !first {
			w.plain = append(w.plain, ',')
		}
		first = false
		w.plain = append(w.plain, '"')
		w.plain = appendJSONString(w.plain, key.Value)
		w.plain = append(w.plain, '"', ':')
		w.value(value, join(path, key.Value), depth+1)
	})
	w.plain = append(w.plain, '}')
}

// scalar writes an unquoted number, true, false or null as that, if JSON has it; anything else is a
// string, as 010 is.
func (w *jsonWriter) scalar(n *yaml.Node, path string) {
	quoted := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	if !quoted {
		switch n.Value {
		case "", "~":
			w.plain = append(w.plain, "null"...)
			return
		}
		if json.Valid([]byte(n.Value)) && n.Value[0] != '[' && n.Value[0] != '{' && n.Value[0] != '"' {
			w.plain = append(w.plain, n.Value...)
			return
		}
	}
	t := w.r.template(n, inJSON, path)
	w.plain = append(w.plain, '"')
	w.flush()
	w.t.parts = append(w.t.parts, t.parts...)
	w.t.secret = w.t.secret || t.secret
	w.plain = append(w.plain, '"')
}
