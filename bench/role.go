package bench

import (
	"strings"
	"unicode"
)

// A Role is a number of goroutines, the workers, that run the same body. Its functions run in the worker's
// goroutine.
type Role struct {
	// Name is the prefix of the role's units, as in producer-op/s. It consists of letters, digits, "_", "-"
	// and ".". The only role of a group needs no name.
	Name string
	// Workers is the number of goroutines, at least 1.
	Workers int
	// Body is called once in each window and calls w.Next before each operation. It must return when Next
	// returns false, and when w.Done is closed while it waits for something.
	Body func(w *Worker)

	// Setup and Teardown run before and after Body in each window and are not measured. Teardown runs if Setup
	// succeeded. Either may be nil. [RoleOf] passes the result of Setup on.
	Setup, Teardown func(w *Worker) error
	// Batch runs around every so many operations. Default: the group's [Batch], if any.
	Batch Batch
	// LockThread gives each worker its own operating system thread.
	LockThread bool
}

func (r Role) apply(c *config) {
	if c.call != callGroup {
		c.errorf("a Role is a part of Group, not of %v", c.call)
		return
	}
	c.roles = append(c.roles, r)
}

// A RoleOf is a [Role] whose workers have state: Body and Teardown receive what Setup returned.
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

func (r RoleOf[S]) apply(c *config) {
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
	plain.apply(c)
}

// settle checks the roles of a group and applies the group's Batch.
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
	case strings.ContainsFunc(r.Name, func(x rune) bool { return !isNameRune(x) }):
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

// prefix returns the beginning of a message about the role.
func (r *Role) prefix() string {
	if r.Name == "" {
		return ""
	}
	return "role " + r.Name + ": "
}

// isNameRune reports whether a name that becomes part of a unit may contain r.
func isNameRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '.'
}

// unitName converts a name to a part of a unit: blanks become "-". It returns "" if the name has invalid
// characters.
func unitName(name string) string {
	n := strings.Join(strings.Fields(name), "-")
	if strings.ContainsFunc(n, func(r rune) bool { return !isNameRune(r) }) {
		return ""
	}
	return n
}
