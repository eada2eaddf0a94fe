package scenario

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/load"
	"go.yaml.in/yaml/v3"
)

// Changes are what flags change of a file.
type Changes struct {
	Schedule   *load.Schedule // instead of the phases; nil for those of the file
	Duration   time.Duration  // of a Schedule without an end of its own
	Allow      []string       // more of these
	Objectives []string
	Redact     bool // secrets are redacted, as in [Scenario.Masked], but comments are kept
}

// YAML returns the file with changes, in a form that reads back the same from the same directory, but for what is redacted.
// Variables stay as they are written. Comments are kept. It fails for a replay, for which files have no form.
func (s *Scenario) YAML(c Changes) ([]byte, error) {
	root, err := s.copyRoot()
	if err != nil {
		return nil, err
	}
	if c.Schedule != nil {
		phases, err := phaseNodes(*c.Schedule, c.Duration)
		if err != nil {
			return nil, err
		}
		set(root, "load", phases)
		arrivals := (*yaml.Node)(nil)
		if c.Schedule.Poisson {
			arrivals = scalarNode("poisson")
		}
		set(root, "arrivals", arrivals)
	}
	for _, list := range []struct {
		key  string
		more []string
	}{{"allow", c.Allow}, {"slo", c.Objectives}} {
		if len(list.more) == 0 {
			continue
		}
		all := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		if n := child(root, list.key); n != nil {
			all = n
		}
		for _, x := range list.more {
			all.Content = append(all.Content, scalarNode(x))
		}
		set(root, list.key, all)
	}
	if c.Redact {
		maskNode(root, "")
	}
	return encode(root)
}

// Masked returns the file for a record: values that are secret by their names are redacted. Those of the environment are
// not in the file.
func (s *Scenario) Masked() ([]byte, error) {
	root, err := s.copyRoot()
	if err != nil {
		return nil, err
	}
	maskNode(root, "")
	dropComments(root)
	return encode(root)
}

// maskNode masks secret values, unless they are variables. name is that of the value, also of one in a list.
func maskNode(n *yaml.Node, name string) {
	for _, comment := range []*string{&n.HeadComment, &n.LineComment, &n.FootComment} {
		*comment = load.Redact("", *comment)
	}
	if n.Kind == yaml.ScalarNode {
		if strings.Contains(n.Value, "${") || n.Value == "true" || n.Value == "false" {
			name = ""
		}
		if shown := load.Redact(name, n.Value); shown != n.Value {
			n.SetString(shown)
		}
	}
	for i, c := range n.Content {
		switch {
		case n.Kind != yaml.MappingNode:
			maskNode(c, name)
		case i%2 == 1:
			maskNode(c, n.Content[i-1].Value)
		default:
			maskNode(c, "")
		}
	}
}

func dropComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, c := range n.Content {
		dropComments(c)
	}
}

// copyRoot returns a copy of the file's nodes, with the aliases within.
func (s *Scenario) copyRoot() (*yaml.Node, error) {
	text, err := encode(s.root)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	return doc.Content[0], nil
}

func encode(n *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// set sets the value of a key of a mapping; nil removes it.
func set(n *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != key {
			continue
		}
		if value == nil {
			n.Content = append(n.Content[:i], n.Content[i+2:]...)
		} else {
			n.Content[i+1] = value
		}
		return
	}
	if value != nil {
		n.Content = append(n.Content, scalarNode(key), value)
	}
}

func scalarNode(text string) *yaml.Node {
	n := new(yaml.Node)
	n.SetString(text)
	return n
}

// phaseNodes returns a schedule as phases; nil for a closed loop.
func phaseNodes(s load.Schedule, duration time.Duration) (*yaml.Node, error) {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	add := func(kind, value string, length time.Duration) {
		list.Content = append(list.Content, &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle, Content: []*yaml.Node{
			scalarNode(kind), scalarNode(value), scalarNode("for"), scalarNode(length.String()),
		}})
	}
	steps := s.Steps
	switch {
	case len(s.Times) > 0:
		return nil, fmt.Errorf("a replay has no form in a scenario: leave --replay out")
	case s.Over > 0:
		steps = []load.Step{{Rate: s.Rate, To: s.To, Ramp: true, For: s.Over}}
		if duration > s.Over {
			steps = append(steps, load.Step{Rate: s.To, For: duration - s.Over})
		}
	case s.Rate > 0:
		steps = []load.Step{{Rate: s.Rate, For: duration}}
	}
	if len(steps) == 0 {
		return nil, nil
	}
	for _, x := range steps {
		switch {
		case x.For <= 0:
			return nil, fmt.Errorf("a phase without an end has no form in a scenario: give --duration")
		case x.Ramp:
			add("ramp", rateText(x.Rate)+".."+rateText(x.To), x.For)
		case x.Rate == 0:
			add("pause", "true", x.For)
			list.Content[len(list.Content)-1].Content[1].Style = 0
			list.Content[len(list.Content)-1].Content[1].Tag = "!!bool"
		default:
			add("rate", rateText(x.Rate), x.For)
		}
	}
	return list, nil
}

func rateText(r float64) string { return strconv.FormatFloat(r, 'f', -1, 64) + "/s" }
