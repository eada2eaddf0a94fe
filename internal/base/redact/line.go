package redact

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
)

// Line returns a line of a record without secrets, in whatever text they stand, those in attachments of JSON, text and
// pprof included. It is the place at which records lose them: each line that is written passes here, and each that is
// read, because others write records, too. The line itself is not changed, and is returned if it has none.
func Line(l record.Line) record.Line {
	switch l := l.(type) {
	case *record.Sample:
		if !anyUnit(l.V) && !mayHold(l.Role) {
			return l // nearly all lines of a record
		}
	case *record.Attach:
		if data, changed := attached(l); changed {
			x := *l
			x.Data = data
			return Line(&x)
		}
	}
	redacted, changed := redactedValue(reflect.ValueOf(l), nameRule)
	if changed {
		l = caseOf(redacted.Interface().(record.Line), l)
	}
	return commandsOf(l)
}

// caseOf returns a redacted line. For a case it also sets the parameters and the hash that depend on the redacted name.
func caseOf(redacted, l record.Line) record.Line {
	c, ok := redacted.(*record.Case)
	if !ok {
		return redacted
	}
	if len(c.Params) > 0 {
		c.Params = record.ParseName(c.Name)
	}
	if name := l.(*record.Case).Name; name != c.Name {
		c.NameHash = NameHash(name)
	}
	return c
}

// commandsOf returns a line with the secrets hidden that the names of flags and settings tell: in the command line, the
// environment and the build flags of a run and of its binaries.
func commandsOf(l record.Line) record.Line {
	switch l := l.(type) {
	case *record.Run:
		x := *l
		x.Command, x.Config.Args, x.Config.Setenv = changedOf(l.Command, Args), changedOf(l.Config.Args, Args), changedOf(l.Config.Setenv, Pairs)
		x.Sides = slices.Clone(l.Sides)
		for i := range x.Sides {
			s := &x.Sides[i]
			s.Flags, s.Setenv, s.Command = changedOf(s.Flags, Args), changedOf(s.Setenv, Pairs), Command(s.Command)
			if l.Kind == record.KindTime {
				s.Ref = Command(s.Ref)
			}
		}
		if l.Config.Load != nil {
			load := *l.Config.Load
			load.Props = maps.Clone(load.Props)
			for name, value := range load.Props {
				load.Props[name] = Value(name, value)
			}
			x.Config.Load = &load
		}
		if !reflect.DeepEqual(&x, l) {
			return &x
		}
	case *record.Bin:
		x := *l
		x.Build = maps.Clone(l.Build)
		for name, value := range x.Build {
			if strings.HasSuffix(strings.ToLower(name), "flags") {
				x.Build[name] = Command(value)
			}
		}
		if !maps.Equal(x.Build, l.Build) {
			return &x
		}
	}
	return l
}

// changedOf returns a list of words as a function shows them; without words the list itself.
func changedOf(words []string, shown func([]string) []string) []string {
	if len(words) == 0 {
		return words
	}
	return shown(words)
}

// attached returns the data of an attachment without secrets, and whether there were any.
func attached(l *record.Attach) ([]byte, bool) {
	if strings.HasPrefix(l.Media, "text/") {
		text := string(l.Data)
		shown := Text(text)
		return []byte(shown), shown != text
	}
	if data, changed := profileData(l.Data); changed {
		return data, true
	}
	return JSON(l.Data)
}

// anyUnit reports whether the unit of a value may contain a secret.
func anyUnit(v record.Values) bool {
	for _, x := range v {
		if mayHold(x.Unit) {
			return true
		}
	}
	return false
}

// rule is how secrets are found in a text of a line.
type rule func(string) string

var nameRule rule = Name

// rules are those of fields, by name; of others it is that of what holds them.
var rules = map[string]rule{
	// What programs and people have written, and what is about that.
	"Tail": Text, "Why": Text, "Text": Text, "Advice": Text, "Facts": Text, "First": Text, "Notes": Text, "Exit": Text, "Ref": Text,
	"Command": Text, "Args": Text, "Setenv": Text, "Flags": Text, "Props": Text, "Build": Text, "URL": Text, "Key": Text, "Rejected": Text,
	// What other lines are found by, and words of tare.
	"Pkg": addresses, "Side": addresses, "Kind": addresses, "State": addresses, "Code": addresses, "About": addresses, "Phase": addresses,
	"Purpose": addresses, "Mode": addresses, "Tag": addresses, "Unit": addresses, "Units": addresses, "Media": addresses, "SHA256": addresses,
	"Roles": addresses, "Role": addresses, "Order": addresses, "Env": addresses, "Correction": addresses, "DB": addresses, "Class": addresses,
}

// redactedValue returns a copy of a value in which the texts have been through a rule, and whether any has changed. If none
// has, it returns the value itself. Bytes are no text.
func redactedValue(v reflect.Value, shown rule) (reflect.Value, bool) {
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		if shown := shown(s); shown != s {
			return reflect.ValueOf(shown).Convert(v.Type()), true
		}
	case reflect.Pointer:
		if v.IsNil() {
			return v, false
		}
		if x, changed := redactedValue(v.Elem(), shown); changed {
			p := reflect.New(x.Type())
			p.Elem().Set(x)
			return p, true
		}
	case reflect.Struct:
		return redactedFields(v, shown)
	case reflect.Slice:
		return redactedElements(v, shown)
	case reflect.Map:
		return redactedMap(v, shown)
	}
	return v, false
}

func redactedFields(v reflect.Value, shown rule) (out reflect.Value, any bool) {
	out = v
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		of, ok := rules[field.Name]
		if !ok {
			of = shown
		}
		x, changed := redactedValue(v.Field(i), of)
		if !changed {
			continue
		}
		if !any {
			out, any = reflect.New(v.Type()).Elem(), true
			out.Set(v)
		}
		out.Field(i).Set(x)
	}
	return out, any
}

func redactedElements(v reflect.Value, shown rule) (out reflect.Value, any bool) {
	switch v.Type().Elem().Kind() {
	case reflect.String, reflect.Pointer, reflect.Struct, reflect.Slice, reflect.Map:
	default:
		return v, false
	}
	out = v
	for i := range v.Len() {
		x, changed := redactedValue(v.Index(i), shown)
		if !changed {
			continue
		}
		if !any {
			out, any = reflect.MakeSlice(v.Type(), v.Len(), v.Len()), true
			reflect.Copy(out, v)
		}
		out.Index(i).Set(x)
	}
	return out, any
}

func redactedMap(v reflect.Value, shown rule) (out reflect.Value, any bool) {
	out = reflect.MakeMap(v.Type())
	for key, x := range v.Seq2() {
		k, first := redactedValue(key, addresses)
		x, second := redactedValue(x, shown)
		out.SetMapIndex(k, x)
		any = any || first || second
	}
	if !any {
		return v, false
	}
	return out, true
}

// JSON returns a JSON text without the secrets in each of its strings. The rest stays as it is, and so
// does a text that is not JSON. It reports whether anything was hidden; otherwise the text is the same.
func JSON(text []byte) (shown []byte, changed bool) {
	if whole := string(text); !mayHoldAddress(text) && Name(whole) == whole {
		return text, false
	}
	var out bytes.Buffer
	done := 0
	for at := 0; ; {
		begin := bytes.IndexByte(text[at:], '"')
		if begin < 0 {
			break
		}
		begin += at
		end := stringEnd(text, begin)
		if end < 0 { // cut off
			if shown := Name(string(text[begin:])); shown != string(text[begin:]) {
				out.Write(text[done:begin])
				out.WriteString(shown)
				return out.Bytes(), true
			}
			break
		}
		at = end
		var s string
		if json.Unmarshal(text[begin:end], &s) != nil {
			continue
		}
		rule := Name
		if bytes.HasPrefix(bytes.TrimLeft(text[end:], " \t"), []byte(":")) {
			rule = addresses // keys keep their form
		}
		if shown := rule(s); shown != s {
			out.Write(text[done:begin])
			writeString(&out, shown)
			done = end
		}
	}
	if done == 0 {
		return text, false
	}
	out.Write(text[done:])
	return out.Bytes(), true
}

// mayHoldAddress reports whether an address may be in a JSON text, in which encoding/json escapes & and others escape /.
func mayHoldAddress(text []byte) bool {
	return bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte(`\/`)) || bytes.ContainsAny(text, `?&%`) || bytes.Contains(text, []byte(`\u00`))
}

// stringEnd returns the index behind a JSON string that begins at an index, -1 if it has no end.
func stringEnd(text []byte, begin int) int {
	for i := begin + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

func writeString(out *bytes.Buffer, s string) {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.Encode(s) // to memory; a string cannot fail
	out.Truncate(out.Len() - 1)
}

// NameHash returns what a record says of a case's name from which secrets are hidden, to tell it from others; see
// [record.Case].
func NameHash(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:4])
}

// Numbered returns the name of the case that is number n, from 0, of those whose names are the same once secrets are hidden.
// The first keeps its name; the others get #01, #02, …, as package testing numbers benchmarks of one name. A name in which
// nothing is hidden is returned unchanged.
func Numbered(name string, n int) string {
	if n < 1 || !strings.Contains(name, Placeholder) {
		return name
	}
	return fmt.Sprintf("%s#%02d", name, n)
}
