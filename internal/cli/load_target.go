package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
)

// loaded is what is under load.
type loaded struct {
	target load.Target
	loader load.Target // inserts the records; nil if there is nothing to insert
	db     kv.DB       // nil for a target by itself
	caps   kv.Capabilities
}

// open reaches the system, and finds out whether it can do what is asked. What
// cannot be reached is an error here, before anything is measured.
func (p *loadPlan) open(ctx context.Context) (*loaded, error) {
	t := &loaded{}
	if err := t.open(ctx, p); err != nil {
		return nil, errors.Join(p.clean(err), p.clean(t.close()))
	}
	if t.caps.Name == "" {
		t.caps.Name = p.name()
	}
	if err := p.checkOperations(t.target.Kinds()); err != nil {
		return nil, errors.Join(err, p.clean(t.close()))
	}
	return t, nil
}

// checkOperations refuses objectives about operations that there are not: they could
// only be missed, after the whole run.
func (p *loadPlan) checkOperations(kinds []string) error {
	for _, text := range p.slo {
		o, err := result.ParseObjective(text)
		if name := o.Operation(); err == nil && name != "" && !slices.ContainsFunc(kinds, func(k string) bool { return strings.EqualFold(k, name) }) {
			return usageError(fmt.Errorf("--slo: %q: there is no operation %s here", text, name), "there is "+strings.Join(kinds, ", "))
		}
	}
	return nil
}

// name is what a system is called that does not say it itself.
func (p *loadPlan) name() string {
	at := p.url
	if at == "" {
		at = p.props[p.binding.Name+".url"]
	}
	if at == "" {
		return p.binding.Name
	}
	return p.binding.Name + " at " + p.mask(at)
}

func (t *loaded) open(ctx context.Context, p *loadPlan) (err error) {
	if p.binding.OpenTarget != nil {
		if t.target, err = p.binding.OpenTarget(ctx, p.settings); err != nil {
			return err
		}
		if x, ok := t.target.(interface{ Capabilities() kv.Capabilities }); ok {
			t.caps = x.Capabilities()
		}
		return nil
	}
	if t.db, err = p.binding.OpenDB(ctx, p.settings); err != nil {
		return err
	}
	t.caps = t.db.Capabilities()
	if t.target, err = ycsb.New(p.workload, t.db); err != nil {
		if u := (*ycsb.UnsupportedError)(nil); errors.As(err, &u) {
			return usageError(fmt.Errorf("%s: not with %s, %s", u.Want, u.DB, u.Why), u.Advice)
		}
		return err
	}
	if t.caps.Load && !p.noLoad {
		t.loader, err = ycsb.Loader(p.workload, t.db)
	}
	return err
}

// openFailed gives a failed opening its exit code, unless it has one: a property
// that is wrong is wrong usage, a server that is down is not.
func (p *loadPlan) openFailed(err error) error {
	if f := (*exit.Error)(nil); errors.As(err, &f) {
		return f
	}
	for name := range p.props {
		if strings.Contains(err.Error(), "property "+name) {
			return usageError(err, "tare load bindings "+p.binding.Name)
		}
	}
	return failed(err, "")
}

// close releases what open took.
func (t *loaded) close() error {
	var errs []error
	for _, x := range []load.Target{t.loader, t.target} {
		if x != nil {
			errs = append(errs, x.Close())
		}
	}
	if t.db != nil {
		errs = append(errs, t.db.Close())
	}
	return errors.Join(errs...)
}

// clean takes secrets out of an error. Where it holds none, it stays what it is.
func (p *loadPlan) clean(err error) error {
	if err == nil {
		return nil
	}
	f := (*exit.Error)(nil)
	if text := p.mask(err.Error()); text != err.Error() {
		masked := &exit.Error{Err: errors.New(text), Code: exit.Failure}
		if errors.As(err, &f) {
			masked.Hint, masked.Code = p.mask(f.Hint), f.Code
		}
		return masked
	}
	return err
}
