package fewlines

import (
	"reflect"
	"strings"
	"time"

	"github.com/tarebench/tare/record"
)

// value draws a value of a type. kind is that of the line at its top, "" elsewhere; real is what a real line has, or nil.
func (d *draw) value(t reflect.Type, real *node, kind string) string {
	switch t {
	case reflect.TypeFor[time.Time]():
		return quote(pick(d.rng, []string{"2026-11-28T12:00:00Z", "2026-11-28T12:00:00+01:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z"}))
	case reflect.TypeFor[record.Seed]():
		return quote(pick(d.rng, []string{"7f3a", "0", "ffffffffffffffff"}))
	case reflect.TypeFor[record.Values]():
		return d.values(real)
	}
	switch t.Kind() {
	case reflect.Struct:
		var fields []string
		d.fields(t, real, kind, &fields)
		return "{" + strings.Join(fields, ",") + "}"
	case reflect.Pointer:
		if real == nil && d.chance(0.1) {
			return "null"
		}
		return d.value(t.Elem(), real, "")
	case reflect.Array:
		var out []string
		for i := range t.Len() {
			var x *node
			if real != nil && i < len(real.kids) {
				x = real.kids[i]
			}
			out = append(out, d.value(t.Elem(), x, ""))
		}
		return "[" + strings.Join(out, ",") + "]"
	case reflect.Slice:
		return d.list(t, real)
	case reflect.Map:
		return d.object(t, real)
	}
	if real != nil && real.open == 0 && !d.chance(d.extreme) {
		return real.raw
	}
	switch t.Kind() {
	case reflect.Bool:
		return quote(d.chance(0.7))
	case reflect.Float64, reflect.Float32:
		return quote(d.float())
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		return quote(d.integer(t.Bits()))
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		return quote(uint64(d.integer(64)) >> (64 - t.Bits()))
	}
	return quote(d.text())
}

func (d *draw) fields(t reflect.Type, real *node, kind string, out *[]string) {
	var name string // of an attachment
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if f.Anonymous && key == "" {
			d.fields(f.Type, real, "", out)
			continue
		}
		if key == "" {
			key = f.Name
		}
		text, ok := d.usual(kind, key, t)
		switch was := real.get(key); {
		case ok:
		case f.Type == reflect.TypeFor[[]byte]() && kind == "attach":
			text = quote(d.attached(name))
		case f.Type == reflect.TypeFor[[]byte]() && kind == "hist":
			text = quote(d.histogram())
		case d.chance(d.absent) || was == nil && !d.chance(d.invented):
			continue
		case f.Type.Kind() == reflect.String && len(d.words[key]) > 0 && (was == nil || d.chance(d.extreme)) && !d.chance(0.2):
			text = pick(d.rng, d.words[key])
		default:
			text = d.value(f.Type, was, "")
		}
		if kind == "attach" && key == "name" {
			name = parse([]byte(text)).text()
		}
		*out = append(*out, quote(key)+":"+text)
	}
}

// list draws a list: the real one with elements left out, or a short one.
func (d *draw) list(t reflect.Type, real *node) string {
	if t.Elem().Kind() == reflect.Uint8 {
		if real != nil && !d.chance(d.extreme) {
			return real.raw
		}
		return quote([]byte(pick(d.rng, []string{"", "\x90", "\xe8\x00\x00\x00\x00\xc3", "text"})))
	}
	var out []string
	if real != nil && real.open == '[' {
		for _, x := range real.kids {
			if !d.chance(d.absent) {
				out = append(out, d.value(t.Elem(), x, ""))
			}
			if d.chance(d.extreme / 8) {
				out = append(out, d.value(t.Elem(), x, ""))
			}
		}
	} else {
		for range pick(d.rng, []int{0, 1, 1, 2, 3}) {
			out = append(out, d.value(t.Elem(), nil, ""))
		}
	}
	if len(out) == 0 && d.chance(0.3) {
		return "null"
	}
	return "[" + strings.Join(out, ",") + "]"
}

func (d *draw) object(t reflect.Type, real *node) string {
	var out []string
	if real != nil && real.open == '{' {
		for i, x := range real.kids {
			if !d.chance(d.absent) {
				out = append(out, real.keys[i]+":"+d.value(t.Elem(), x, ""))
			}
		}
	} else {
		for range d.rng.IntN(3) {
			out = append(out, quote(pick(d.rng, []string{"a", "timeout", "not_found", "", "ns/op", "-race", d.text()}))+":"+d.value(t.Elem(), nil, ""))
		}
	}
	return "{" + strings.Join(out, ",") + "}"
}

// values draws the figures of a sample.
func (d *draw) values(real *node) string {
	var out []string
	if real != nil {
		for i, x := range real.kids {
			if d.chance(d.extreme) {
				out = append(out, real.keys[i]+":"+d.special())
			} else if !d.chance(d.absent) {
				out = append(out, real.keys[i]+":"+x.raw)
			}
		}
	}
	for d.chance(0.2) {
		out = append(out, quote(pick(d.rng, units))+":"+d.special())
	}
	return "{" + strings.Join(out, ",") + "}"
}

// special draws a figure that JSON may have no number for.
func (d *draw) special() string {
	if d.chance(0.3) {
		return pick(d.rng, []string{`"NaN"`, `"+Inf"`, `"-Inf"`})
	}
	return quote(d.float())
}
