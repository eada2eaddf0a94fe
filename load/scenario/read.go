package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/tarebench/tare/load"
	"go.yaml.in/yaml/v3"
)

// maxFile is the limit of a file in bytes.
const maxFile = 1 << 20

// Read reads a file. getenv looks up environment variables, as [os.LookupEnv]. The error is a
// *[ParseError] if the file could be read.
func Read(name string, getenv func(string) (string, bool)) (*Scenario, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return nil, fmt.Errorf("%s is a directory", name)
	}
	content, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	return Parse(content, name, getenv)
}

// Parse reads the content of a file of this name. Files that it names are relative to it. Their first rows
// are read for the names of columns; the rest only by [Open].
func Parse(content []byte, name string, getenv func(string) (string, bool)) (*Scenario, error) {
	return parse(content, name, getenv, false)
}

// ParseAlone is Parse for content of others: files that it names are not opened, but errors that wrap [ErrFile].
func ParseAlone(content []byte, name string, getenv func(string) (string, bool)) (*Scenario, error) {
	return parse(content, name, getenv, true)
}

// ErrFile is the error of a file that a scenario names and must not.
var ErrFile = errors.New("a file of this machine is named")

func parse(content []byte, name string, getenv func(string) (string, bool), alone bool) (*Scenario, error) {
	r := &reader{s: &Scenario{File: name, streams: firstStream}, getenv: getenv, dir: filepath.Dir(name), alone: alone}
	if r.document(content) {
		w := walk{problems: &r.problems}
		if w.check(r.s.root, fileShape(), "", 0) {
			r.content()
		}
	}
	if err := r.err(name); err != nil {
		return nil, err
	}
	return r.s, nil
}

// A reader makes a Scenario of a file.
type reader struct {
	problems
	s      *Scenario
	getenv func(string) (string, bool)
	dir    string            // of the file
	alone  bool              // no other files are opened
	env    map[string]string // that the file names
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`)

// document parses YAML. It reports whether there is something to examine.
func (r *reader) document(content []byte) bool {
	at := &yaml.Node{Line: 1, Column: 1}
	if len(content) > maxFile {
		r.add(at, "", "longer than 1 MiB: not a scenario")
		return false
	}
	d := yaml.NewDecoder(bytes.NewReader(content))
	var doc, second yaml.Node
	err := d.Decode(&doc)
	if err == nil && doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		r.s.root = doc.Content[0]
		if err = d.Decode(&second); err == nil {
			r.add(&second, "", "a second document: a file holds one scenario")
		} else if errors.Is(err, io.EOF) {
			err = nil
		}
	} else if errors.Is(err, io.EOF) || err == nil {
		r.add(at, "", "is empty: want target and transactions")
		return false
	}
	if err != nil {
		m := yamlLine.FindStringSubmatch(err.Error())
		if n, e := strconv.Atoi(m[1]); e == nil {
			at.Line = n
		}
		hint := ""
		if bytes.Contains(content, []byte("${")) {
			hint = " (within braces a text with ${…} is quoted)"
		}
		r.add(at, "", "not YAML: %s%s", strings.TrimPrefix(err.Error(), m[0]), hint)
		return false
	}
	return true
}

func (r *reader) addError(n *yaml.Node, path string, err error) {
	if err != nil {
		r.add(n, path, "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
}

// child returns the value of a key of a mapping, nil if it has none or is of a wrong kind.
func child(n *yaml.Node, name string) *yaml.Node {
	if n = follow(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := follow(n.Content[i]); key.Kind == yaml.ScalarNode && key.Value == name {
			return follow(n.Content[i+1])
		}
	}
	return nil
}

// scalarOf is child for texts; nil if there is none.
func scalarOf(n *yaml.Node, name string) *yaml.Node {
	if c := child(n, name); c != nil && c.Kind == yaml.ScalarNode {
		return c
	}
	return nil
}

// textOf returns the text of a key, "" if there is none.
func textOf(n *yaml.Node, name string) string {
	if c := scalarOf(n, name); c != nil {
		return c.Value
	}
	return ""
}

// elements returns those of a list.
func elements(n *yaml.Node) (all []*yaml.Node) {
	if n = follow(n); n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	for _, x := range n.Content {
		all = append(all, follow(x))
	}
	return all
}

// pairs calls f for each key of a mapping.
func pairs(n *yaml.Node, f func(key, value *yaml.Node)) {
	if n = follow(n); n == nil || n.Kind != yaml.MappingNode {
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := follow(n.Content[i]); key.Kind == yaml.ScalarNode && !seen[key.Value] {
			seen[key.Value] = true
			f(key, follow(n.Content[i+1]))
		}
	}
}

// content reads a whole file whose shape was checked. Values of a wrong shape are skipped: that was
// reported.
func (r *reader) content() {
	root := r.s.root
	r.target(scalarOf(root, "target"))
	for i, x := range elements(child(root, "allow")) {
		if _, err := load.ParseConsent([]string{x.Value}); err != nil {
			r.addError(x, fmt.Sprintf("allow[%d]", i), err)
		}
		r.s.Allow = append(r.s.Allow, x.Value)
	}
	r.environment(child(root, "env"))
	r.s.insecure, r.s.cookies = textOf(root, "insecure") == "true", textOf(root, "cookies") == "true"
	r.s.poisson = textOf(root, "arrivals") == "poisson"
	pairs(child(root, "data"), r.dataFile)
	r.phases(child(root, "load"))
	pairs(child(root, "transactions"), r.transaction)
	if n := child(root, "transactions"); n != nil && n.Kind == yaml.MappingNode && len(r.s.transactions) == 0 {
		r.add(n, "transactions", "want at least one")
	} else if n != nil && r.s.weights == 0 && len(r.list) == 0 {
		r.add(n, "transactions", "all weights are 0")
	}
	for i, x := range elements(child(root, "slo")) {
		r.objective(x, fmt.Sprintf("slo[%d]", i), "")
	}
}

func (r *reader) target(n *yaml.Node) {
	if n == nil {
		return
	}
	u, err := url.Parse(n.Value)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "":
		r.add(n, "target", "want a server, as http://127.0.0.1:8080")
		return
	case u.User != nil:
		r.add(n, "target", "has a user or a password: give them by env and a header, as Authorization: Basic ${env.LOGIN}")
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		r.add(n, "target", "has parameters: they belong to the paths of the steps")
	}
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/"), strings.TrimSuffix(u.RawPath, "/")
	r.s.target = u
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (r *reader) environment(n *yaml.Node) {
	r.env = map[string]string{}
	for i, x := range elements(n) {
		path := fmt.Sprintf("env[%d]", i)
		if !envName.MatchString(x.Value) {
			r.add(x, path, "%q is no name of an environment variable", x.Value)
			continue
		}
		value, ok := r.getenv(x.Value)
		if !ok {
			r.add(x, path, "the environment variable %s is not set", x.Value)
		}
		r.env[x.Value] = value
		if value != "" {
			r.s.Secrets = append(r.s.Secrets, value)
		}
	}
}
