package layouttext

import (
	"slices"

	"github.com/tarebench/tare/internal/layout"
	"github.com/tarebench/tare/internal/termtext"
)

// visible returns a copy of s whose names are printable. Those of a binary's debug data may be anything.
func visible(s *layout.Struct, c termtext.Charset) *layout.Struct {
	out := *s
	out.Name, out.Path, out.Where = c.Name(s.Name), c.Name(s.Path), c.Name(s.Where)
	out.Fields = visibleFields(s.Fields, c)
	out.Shared = slices.Clone(s.Shared)
	for i, l := range out.Shared {
		out.Shared[i].Hot, out.Shared[i].Locks, out.Shared[i].Plain = visibleNames(l.Hot, c), visibleNames(l.Locks, c), visibleNames(l.Plain, c)
	}
	out.Best, out.Apart = visibleOrder(s.Best, c), visibleOrder(s.Apart, c)
	return &out
}

func visibleOrder(o *layout.Order, c termtext.Charset) *layout.Order {
	if o == nil {
		return nil
	}
	out := *o
	out.Fields = visibleFields(o.Fields, c)
	return &out
}

func visibleFields(fields []layout.Field, c termtext.Charset) []layout.Field {
	out := slices.Clone(fields)
	for i, f := range out {
		out[i].Name, out[i].Type = c.Name(f.Name), c.Name(f.Type)
	}
	return out
}

func visibleNames(names []string, c termtext.Charset) []string {
	out := slices.Clone(names)
	for i, n := range out {
		out[i] = c.Name(n)
	}
	return out
}
