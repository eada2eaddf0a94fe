package kv

import (
	"context"
	"io"
	"time"

	"github.com/tarebench/tare/load"
)

// A Binding is how the command opens a database or service. Each package below
// load/kv and load/http has one: func Binding.
type Binding struct {
	Name       string     // "redis": what --db takes
	Schemes    []string   // of URLs that --db takes instead: "redis", "rediss"
	Short      string     // one line for help
	Properties []Property // settings by -p

	// Exactly one of the two is set: a store for workloads, or a target by itself. If TargetIf is, both are: it reports whether
	// the properties describe a target; see For.
	OpenDB     func(ctx context.Context, s Settings) (DB, error)
	OpenTarget func(ctx context.Context, s Settings) (load.Target, error)
	TargetIf   func(p Properties) bool
}

// For returns the binding for properties, with one of OpenDB and OpenTarget.
func (b *Binding) For(p Properties) *Binding {
	if b.TargetIf == nil {
		return b
	}
	c := *b
	c.TargetIf = nil
	if b.TargetIf(p) {
		c.OpenDB = nil
	} else {
		c.OpenTarget = nil
	}
	return &c
}

// A Property is a setting that a binding reads.
type Property struct {
	Name    string // "redis.addr"
	Default string // default value; "" if there is none
	Short   string // one line for help
	Secret  bool   // its value is never shown or recorded
	File    bool   // its value names a file; a value @FILE does in any case
}

// Settings are the parameters for opening a binding. Opening must fail before
// anything is measured if the system cannot be reached, with an error that says what
// was tried and what to do.
type Settings struct {
	Props Properties // all of them; a binding reads those under its name
	URL   string     // the argument of --db if it is a URL, else ""
	Table string     // of the workload; "usertable" by default

	Fields    int              // number of fields of a record, 0 where there is no workload
	FieldName func(int) string // of field 0, 1, …

	Allow     *load.Consent // targets off this machine that may be loaded; nil for none
	Dir       string        // for embedded databases: an existing directory, or "" for a temporary one that Close removes
	Workers   int           // limit of workers
	OpTimeout time.Duration // of one operation, to be set in the client; 0 means none
	Seed      uint64
	Printed   io.Writer // where a binding prints operations, if a property asks for that, whole lines at a time; nil for nowhere
}
