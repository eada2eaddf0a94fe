package loadrun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/suggest"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// A FullBinding is a binding that tare-full alone has, because its library is large.
type FullBinding struct {
	Name    string
	Schemes []string // of URLs that --db takes instead
}

// FullBindings are the bindings that tare-full alone has.
var FullBindings = []FullBinding{{Name: "grpc", Schemes: []string{"grpc", "grpcs"}}, {Name: "pebble"}}

func fullBindingNames() []string {
	var names []string
	for _, b := range FullBindings {
		names = append(names, b.Name)
	}
	return names
}

func errOnlyInFull(name string) error { return &exit.NeedsFull{What: "--db " + name} }

// BindingNames returns the names of the bindings.
func BindingNames(bindings []kv.Binding) []string {
	var names []string
	for _, b := range bindings {
		names = append(names, b.Name)
	}
	return names
}

// FindBinding returns the binding that --db names, and the URL if it is one.
func FindBinding(bindings []kv.Binding, db string) (*kv.Binding, string, error) {
	if scheme, _, ok := strings.Cut(db, "://"); ok {
		for i := range bindings {
			if slices.Contains(bindings[i].Schemes, strings.ToLower(scheme)) {
				return &bindings[i], db, nil
			}
		}
		for _, b := range FullBindings {
			if slices.Contains(b.Schemes, strings.ToLower(scheme)) {
				return nil, "", errOnlyInFull(b.Name)
			}
		}
		return nil, "", exit.Usage(fmt.Errorf("--db: no database has URLs that begin with %s://", scheme), "tare load bindings lists them")
	}
	if db == "basic" { // YCSB's name
		db = "mock"
	}
	for i := range bindings {
		if bindings[i].Name == db {
			return &bindings[i], "", nil
		}
	}
	if slices.Contains(fullBindingNames(), db) {
		return nil, "", errOnlyInFull(db)
	}
	hint := "tare load bindings lists what there is"
	if near := suggest.Nearest(db, slices.Concat(BindingNames(bindings), fullBindingNames()), 2); near != "" {
		hint = "did you mean: --db " + near
	}
	return nil, "", exit.Usage(fmt.Errorf("--db: there is no database %q", load.Redact("", db)), hint)
}
