package commandrun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
)

// Param is a parameter of commands: in each, {name} stands for one of its values.
type Param struct {
	Name   string
	Values []string
}

// ParseParam reads a parameter as it is typed: n=1,2,4.
func ParseParam(text string) (Param, error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" || strings.ContainsAny(name, "{}/ ") {
		return Param{}, fmt.Errorf("%q is not NAME=VALUE,VALUE", text)
	}
	p := Param{Name: name, Values: strings.Split(list, ",")}
	for i, v := range p.Values {
		switch {
		case v == "":
			return Param{}, fmt.Errorf("%q has an empty value", text)
		case slices.Contains(p.Values[:i], v):
			return Param{}, fmt.Errorf("%q has the value %s twice", text, v)
		}
	}
	return p, nil
}

// choice is a value of each parameter, in the order of the parameters.
type choice []struct{ name, value string }

// choices returns all combinations of the values, the last parameter changing fastest; without parameters an empty one.
func choices(params []Param) []choice {
	out := []choice{nil}
	for _, p := range params {
		var next []choice
		for _, c := range out {
			for _, v := range p.Values {
				next = append(next, append(c[:len(c):len(c)], struct{ name, value string }{p.Name, v}))
			}
		}
		out = next
	}
	return out
}

// in returns words with the values in place of {name}.
func (c choice) in(words []string) []string {
	var pairs []string
	for _, x := range c {
		pairs = append(pairs, "{"+x.name+"}", x.value)
	}
	r := strings.NewReplacer(pairs...)
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = r.Replace(w)
	}
	return out
}

// name returns the values as they are in names of benchmarks: "n=1/level=9".
func (c choice) name() string {
	var parts []string
	for _, x := range c {
		parts = append(parts, x.name+"="+x.value)
	}
	return strings.Join(parts, "/")
}

// checkParams returns an error for a parameter that is given twice, or that no command has.
func (cfg *Config) checkParams() error {
	for i, p := range cfg.Params {
		if slices.ContainsFunc(cfg.Params[:i], func(q Param) bool { return q.Name == p.Name }) {
			return exit.Usage(fmt.Errorf("--param %s is given twice", p.Name), "all values of a parameter go into one: --param "+p.Name+"=1,2,4")
		}
		has := func(words []string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "{"+p.Name+"}") })
		}
		if !slices.ContainsFunc(cfg.Commands, has) {
			return exit.Usage(fmt.Errorf("--param %s: no command has {%[1]s}", p.Name), "write {"+p.Name+"} where its value belongs")
		}
	}
	return nil
}
