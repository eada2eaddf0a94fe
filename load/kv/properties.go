package kv

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/tarebench/tare/load"
)

// Properties are settings by name, as YCSB has them: from files (-P) and single
// ones (-p name=value). Names are as they are written: upper and lower case
// differ.
//
//	props, err := kv.ReadProperties("workload.properties")
//	err = props.Set("redis.addr=127.0.0.1:6379")
//	g := props.Getter()
//	addr := g.String("redis.addr", "127.0.0.1:6379")
//	pool := g.Int("redis.pool", 10)
//	g.Known("redis.", Binding().Properties)
//	if err := g.Err(); err != nil { // everything that is wrong, at once
type Properties map[string]string

// ReadProperties reads a file in the syntax of [ParseProperties].
func ReadProperties(name string) (Properties, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("properties: %w", err)
	}
	defer f.Close()
	return ParseProperties(f, name)
}

// Set adds a setting in the form name=value, as given by -p. It replaces an earlier
// one.
func (p Properties) Set(assignment string) error {
	name, value, found := strings.Cut(assignment, "=")
	name = strings.TrimSpace(name)
	if !found || name == "" {
		return fmt.Errorf("property %q: want name=value", load.Redact("", assignment))
	}
	p[name] = value
	return nil
}

// Merge adds all properties of another set, which replace existing ones.
func (p Properties) Merge(from Properties) { maps.Copy(p, from) }

// Names returns the names in alphabetical order.
func (p Properties) Names() []string { return slices.Sorted(maps.Keys(p)) }

// Redacted returns a copy that may be shown and recorded, with each value changed by
// [load.Redact].
func (p Properties) Redacted() Properties {
	shown := make(Properties, len(p))
	for name, value := range p {
		shown[name] = load.Redact(name, value)
	}
	return shown
}

// maxProperties is the limit of a property file in bytes.
const maxProperties = 1 << 20

// ParseProperties reads Java's property files, as java.util.Properties.load
// defines them: a line is a name, then =, : or white space, then the value;
// lines that begin with # or ! are comments; a backslash at the end continues
// the line, \t \n \r \f and \uXXXX are characters, and a backslash before any
// other stands for that character. Text is UTF-8. Of a name that comes twice the
// last value counts. Errors begin with name and line: "workload:12: …".
func ParseProperties(r io.Reader, name string) (Properties, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxProperties+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("properties: %s: %w", name, err)
	case len(text) > maxProperties:
		return nil, fmt.Errorf("properties: %s: longer than %d bytes: not a property file", name, maxProperties)
	case slices.Contains(text, 0):
		return nil, fmt.Errorf("properties: %s: not text", name)
	}
	p := make(Properties)
	s := propertyScanner{rest: strings.TrimPrefix(string(text), "\ufeff")}
	for s.scan() {
		if err := p.add(s.logical); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, s.line, err)
		}
	}
	return p, nil
}

func (p Properties) add(line string) error {
	raw, value := splitProperty(line)
	name, err := unescape(raw)
	if err != nil {
		return err
	}
	if name == "" {
		return errors.New("a value without a name")
	}
	if p[name], err = unescape(value); err != nil {
		return fmt.Errorf("property %s: %w", name, err)
	}
	return nil
}
