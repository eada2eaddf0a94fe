package scenario

import "encoding/json"

// Schema returns the JSON Schema (draft 2020-12) of files, for editors. What it cannot say, such as
// that a variable must be captured before it is used, only [Parse] checks.
func Schema() []byte {
	root := fileShape().schema()
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "tare load scenario"
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // maps of texts
	}
	return append(text, '\n')
}

func (s *shape) schema() map[string]any {
	m := map[string]any{}
	if s.short != "" {
		m["description"] = s.short
	}
	switch s.kind {
	case object:
		m["type"], m["additionalProperties"] = "object", false
		keys, required := map[string]any{}, []string{}
		for _, f := range s.keys {
			keys[f.name] = f.shape.schema()
			if f.required {
				required = append(required, f.name)
			}
		}
		m["properties"] = keys
		if len(required) > 0 {
			m["required"] = required
		}
	case table:
		m["type"], m["additionalProperties"] = "object", s.of.schema()
	case list:
		m["type"], m["items"] = "array", s.of.schema()
	case text:
		m["type"] = []string{"string", "number", "boolean"} // an unquoted scalar is taken as its text
		if s.form != "" {
			m["type"], m["pattern"] = "string", s.form
		}
		if s.texts != nil {
			m["type"], m["enum"] = "string", s.texts
		}
	case number:
		m["type"], m["minimum"] = "integer", 0
	case boolean:
		m["type"] = "boolean"
	}
	return m
}
