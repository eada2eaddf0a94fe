package bench

import (
	"strings"
	"unicode"
)

// A Role is a number of goroutines that do the same. Its functions run in the
// worker's goroutine.
type Role struct {
	// Name stands before the units of what the role reports, as in
	// producer-op/s; letters, digits, "_", "-" and ".". The only role of a group
	// may go without.
	Name string
	// Workers is the number of goroutines, at least 1.
	Workers int
	// Body is called once in each window and asks w.Next before each operation.
	// When Next says no it returns; when w.Done is closed while it waits for
	// something, it returns as well.
	Body func(w *Worker)

	// Setup and Teardown run before and after Body in each window, outside of
	// what is measured. Teardown runs if Setup did without an error. Either may
	// be nil. [RoleOf] hands on what Setup made.
	Setup, Teardown func(w *Worker) error
	// Batch is what to do around every so many operations; the zero value:
	// nothing, or what the group's [Batch] says.
	Batch Batch
	// LockThread gives each worker an operating system thread of its own.
	LockThread bool
}

func (r Role) join(c *config) {
	if c.call != callGroup {
		c.errorf("a Role is a part of Group, not of %v", c.call)
		return
	}
	c.roles = append(c.roles, r)
}

// A RoleOf is a [Role] each worker of which has something of its own: what Setup
// returns is what Body and Teardown are given.
//
//	bench.RoleOf[*client]{
//		Name: "reader", Workers: 4,
//		Setup:    func(w *bench.Worker) (*client, error) { return dial(addr) },
//		Body:     func(w *bench.Worker, c *client) { for w.Next() { c.get(key) } },
//		Teardown: func(w *bench.Worker, c *client) error { return c.Close() },
//	}
type RoleOf[S any] struct {
	Name       string                     // as of Role
	Workers    int                        // as of Role
	Setup      func(w *Worker) (S, error) // nil: the zero S
	Body       func(w *Worker, s S)       // as of Role
	Teardown   func(w *Worker, s S) error // nil: nothing
	Batch      Batch                      // as of Role
	LockThread bool                       // as of Role
}

func (r RoleOf[S]) join(c *config) {
	states := make([]S, max(0, r.Workers)) // each is written once, before its worker begins
	plain := Role{Name: r.Name, Workers: r.Workers, Batch: r.Batch, LockThread: r.LockThread}
	if r.Setup != nil {
		plain.Setup = func(w *Worker) (err error) {
			states[w.index], err = r.Setup(w)
			return err
		}
	}
	if r.Body != nil {
		plain.Body = func(w *Worker) { r.Body(w, states[w.index]) }
	}
	if r.Teardown != nil {
		plain.Teardown = func(w *Worker) error { return r.Teardown(w, states[w.index]) }
	}
	plain.join(c)
}

// settle checks the roles of a group and gives them what they left to it.
func (c *config) settle() {
	if c.call == callGroup && len(c.roles) == 0 {
		c.errorf("has no Role")
	}
	names := map[string]bool{}
	for i := range c.roles {
		r := &c.roles[i]
		switch {
		case names[r.Name]:
			c.errorf("two roles are called %q", r.Name)
		case r.Name == "floor" || r.Name == "clock":
			c.errorf("a role called %q would have units that mean something else", r.Name)
		}
		names[r.Name] = true
		c.checkRole(r)
		if !r.Batch.given() {
			r.Batch = c.batch
		}
	}
}

func (c *config) checkRole(r *Role) {
	switch {
	case r.Name == "" && len(c.roles) > 1:
		c.errorf("a role has no name; only the single role of a group may go without")
	case strings.ContainsFunc(r.Name, func(x rune) bool { return !inName(x) }):
		c.errorf("role %q: a name has only letters, digits, _, - and .", r.Name)
	}
	if r.Workers < 1 {
		c.errorf("%shas %d Workers, needs at least 1", r.prefix(), r.Workers)
	}
	if r.Body == nil {
		c.errorf("%shas no Body", r.prefix())
	}
	if r.Batch.given() {
		c.checkBatch(r.prefix(), r.Batch)
	}
}

// prefix begins a message about the role.
func (r *Role) prefix() string {
	if r.Name == "" {
		return ""
	}
	return "role " + r.Name + ": "
}

// inName tells whether a rune may stand in a name that becomes part of a unit.
func inName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '.'
}

// unitName makes the part of a unit from what a user calls something: blanks
// become "-". It is empty if that cannot be done.
func unitName(name string) string {
	n := strings.Join(strings.Fields(name), "-")
	if strings.ContainsFunc(n, func(r rune) bool { return !inName(r) }) {
		return ""
	}
	return n
}
