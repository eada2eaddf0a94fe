package kv

import (
	"context"
	"time"

	"github.com/tarebench/tare/load"
)

// A Binding is how the command gets at a database or service. Each package below
// load has one: var Binding.
type Binding struct {
	Name       string     // "redis": what --db takes
	Schemes    []string   // of URLs that --db takes instead: "redis", "rediss"
	Short      string     // one line for help
	Properties []Property // what -p takes for it

	// Exactly one of the two is set: a store for workloads, or a target by itself.
	OpenDB     func(ctx context.Context, s Settings) (DB, error)
	OpenTarget func(ctx context.Context, s Settings) (load.Target, error)
}

// A Property is one that a binding reads.
type Property struct {
	Name    string // "redis.addr"
	Default string // as it would be written; "" if there is none
	Short   string // one line for help
	Secret  bool   // its value is never shown or recorded
}

// Settings are what a binding is opened with. Opening must fail, with an error
// that says what was tried and what to do, where the system cannot be reached:
// before anything is measured.
type Settings struct {
	Props Properties // all of them; a binding reads those under its name
	URL   string     // where --db was a URL, else ""
	Table string     // of the workload; "usertable" by default

	Fields    int              // number of fields of a record, 0 where there is no workload
	FieldName func(int) string // of field 0, 1, …

	Dir       string        // for what is embedded: an existing directory of the user's choice, or "" for a temporary one, removed by Close
	Workers   int           // the most that there will be
	OpTimeout time.Duration // of one operation, to be set in the client; 0 means none
	Seed      uint64
}
