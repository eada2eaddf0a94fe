package scenario

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/load"
	"go.yaml.in/yaml/v3"
)

// isSecretHeader reports whether a header holds a secret, by its name.
func isSecretHeader(name string) bool { return load.Redact(name, "x") == load.Redacted }

// resolve returns the path of a file that the scenario names.
func (r *reader) resolve(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.dir, name)
}

// capture reads what a step takes of its response. It can be used from the next step on.
func (r *stepReader) capture(s *step, key, n *yaml.Node, path string) {
	path = join(path, key.Value)
	c := capture{name: key.Value}
	if !captureName.MatchString(key.Value) || slices.Contains([]string{"k", "uuid", "rand", "env"}, key.Value) {
		r.add(key, path, "%q: a capture is named by letters, digits and _, and not k, uuid, rand or env", key.Value)
		return
	}
	var how []string
	for _, name := range []string{"json", "header", "regexp"} {
		if scalarOf(n, name) != nil {
			how = append(how, name)
		}
	}
	if len(how) != 1 {
		if n.Kind == yaml.MappingNode {
			r.add(n, path, "want one of json, header and regexp")
		}
		return
	}
	value := scalarOf(n, how[0])
	var err error
	switch how[0] {
	case "json":
		c.json, err = parseJSONPath(value.Value)
	case "header":
		if c.header = value.Value; !httpclient.IsToken(c.header) {
			err = fmt.Errorf("%q is no name of a header", c.header)
		}
	case "regexp":
		if c.regexp, err = parseRegexp(value.Value); err == nil && c.regexp.NumSubexp() < 1 {
			err = fmt.Errorf("%q has no group in parentheses, whose text is captured", value.Value)
		}
	}
	r.addError(value, join(path, how[0]), err)
	if _, again := r.slots[c.name]; !again {
		r.slots[c.name] = len(r.slots)
	}
	c.slot = r.slots[c.name]
	s.captures = append(s.captures, c)
}

var captureName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// maxRegexp limits a regular expression, in bytes: what it is compiled to is much larger.
const maxRegexp = 1000

func parseRegexp(text string) (*regexp.Regexp, error) {
	if len(text) > maxRegexp {
		return nil, fmt.Errorf("a regular expression of more than %d bytes", maxRegexp)
	}
	return regexp.Compile(text)
}

// check reads what the response must be.
func (r *stepReader) check(s *step, n *yaml.Node, path string) {
	s.check.status, _ = httpclient.ParseStatuses("200-299")
	if n == nil {
		return
	}
	var err error
	if x := scalarOf(n, "status"); x != nil {
		s.check.statusText = x.Value
		s.check.status, err = httpclient.ParseStatuses(x.Value)
		r.addError(x, join(path, "status"), err)
	}
	if x := scalarOf(n, "body"); x != nil {
		t := r.template(x, asIs, join(path, "body"))
		s.check.body = &t
	}
	if x := scalarOf(n, "regexp"); x != nil {
		s.check.regexp, err = parseRegexp(x.Value)
		r.addError(x, join(path, "regexp"), err)
	}
	pairs(child(n, "json"), func(key, value *yaml.Node) {
		if value.Kind != yaml.ScalarNode {
			return
		}
		at := join(join(path, "json"), key.Value)
		p, err := parseJSONPath(key.Value)
		r.addError(key, at, err)
		s.check.json = append(s.check.json, jsonCheck{path: p, text: key.Value, want: r.template(value, asIs, at)})
	})
}

// scope returns the variables that a step may use.
func (r *stepReader) scope() *scope {
	return &scope{env: r.envValue, data: r.column, slot: r.slot, streams: &r.s.streams}
}

func (r *reader) envValue(name string) (string, error) {
	value, ok := r.env[name]
	if !ok {
		return "", fmt.Errorf("${env.%s}: %s is not among env: name it there", name, name)
	}
	return value, nil
}

// column returns the place of a column of a data file, and has the transaction use it.
func (r *stepReader) column(name, column string) (source, index int, err error) {
	var names []string
	for i, d := range r.s.data {
		names = append(names, d.name)
		if d.name != name {
			continue
		}
		if index, err = d.column(column); err != nil {
			return 0, 0, err
		}
		if !slices.Contains(r.t.data, i) {
			r.t.data = append(r.t.data, i)
		}
		return i, index, nil
	}
	return 0, 0, fmt.Errorf("${%s.%s}: there is no data %q%s", name, column, name, didYouMean(name, names))
}

// slot returns the slot of a capture of a step before.
func (r *stepReader) slot(name string) (int, error) {
	if slot, ok := r.slots[name]; ok {
		return slot, nil
	}
	for i, x := range r.all[r.at:] {
		if child(child(x, "capture"), name) == nil {
			continue
		}
		if i == 0 {
			return 0, fmt.Errorf("${%s} is captured from the response of this step itself: only later steps have it", name)
		}
		return 0, fmt.Errorf("${%s} is captured by a later step, %s: it has no value yet", name, textOf(x, "name"))
	}
	other := ""
	pairs(child(r.s.root, "transactions"), func(key, t *yaml.Node) {
		for _, x := range elements(child(t, "steps")) {
			if child(child(x, "capture"), name) != nil && key.Value != r.t.name {
				other = key.Value
			}
		}
	})
	if other != "" {
		return 0, fmt.Errorf("${%s} is captured in transaction %s: transactions share no captures", name, other)
	}
	known := []string{"k", "uuid", "rand:1000"}
	for n := range r.slots {
		known = append(known, n)
	}
	slices.Sort(known)
	for _, d := range r.s.data {
		known = append(known, d.name+".COLUMN")
	}
	return 0, fmt.Errorf("${%s}: there is no such variable%s; there is %s", name, didYouMean(name, known), strings.Join(known, ", "))
}
