package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
)

// Param is a parameter of commands: in each, {name} stands for one of its values.
type Param struct {
	Name   string
	Values []string
}

// parseParam reads a parameter as it is typed: n=1,2,4.
func parseParam(text string) (Param, error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" || strings.ContainsAny(name, "{}/ ") {
		return Param{}, fmt.Errorf("--param: %q is not NAME=VALUE,VALUE", text)
	}
	p := Param{Name: name, Values: strings.Split(list, ",")}
	for i, v := range p.Values {
		switch {
		case v == "":
			return Param{}, fmt.Errorf("--param: %q has an empty value", text)
		case slices.Contains(p.Values[:i], v):
			return Param{}, fmt.Errorf("--param: %q has the value %s twice", text, v)
		}
	}
	return p, nil
}

// Parameters returns the Params of a job that was checked.
func (c *Command) Parameters() []Param { return c.parameters(&exit.Problems{}, nil) }

// parameters returns Params. One that is malformed, is given twice, or is in none of the lines is a problem.
func (c *Command) parameters(p *exit.Problems, lines []Line) (out []Param) {
	for _, text := range c.Params {
		x, err := parseParam(text)
		place := "{" + x.Name + "}"
		has := func(l Line) bool {
			return slices.ContainsFunc(l.Words, func(w string) bool { return strings.Contains(w, place) })
		}
		p.AddError(err)
		p.HintIf(err == nil && redact.SecretName(x.Name), "pass a secret in the environment, or give the parameter another name",
			"--param %s: its values would be in every output, and its name says that they are secret", x.Name)
		twice := slices.ContainsFunc(out, func(q Param) bool { return q.Name == x.Name && err == nil })
		p.HintIf(twice, "all values of a parameter go into one: --param "+x.Name+"=1,2,4", "--param %s is given twice", x.Name)
		missing := err == nil && !twice && len(lines) > 0 && !slices.ContainsFunc(lines, has)
		p.HintIf(missing, "write "+place+" where its value belongs", "--param %s: no command has %s", x.Name, place)
		out = append(out, x)
	}
	return out
}
