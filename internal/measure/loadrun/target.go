package loadrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
)

// system is what is under load.
type system struct {
	target load.Target
	loader load.Target // inserts the records; nil if there is nothing to insert
	db     kv.DB       // nil for a target by itself
	caps   kv.Capabilities
	agents AgentsSystem // nil: this process generates the load

	complete bool // the record is whole
}

// open connects to the system and checks that it supports the workload, before anything
// is measured.
func (p *Plan) open(ctx context.Context) (*system, error) {
	s := &system{}
	if err := s.open(ctx, p); err != nil {
		return nil, errors.Join(p.clean(err), p.clean(s.close()))
	}
	if s.caps.Name == "" {
		s.caps.Name = p.name()
	}
	if err := p.checkOperations(s.target.Kinds()); err != nil {
		return nil, errors.Join(err, p.clean(s.close()))
	}
	return s, nil
}

// checkOperations refuses objectives about operations that the workload does not have.
func (p *Plan) checkOperations(kinds []string) error {
	for _, text := range p.Objectives {
		o, err := objective.Parse(text)
		if name := o.Name; err == nil && name != "" && !slices.ContainsFunc(kinds, func(k string) bool { return strings.EqualFold(k, name) }) {
			return exit.Usage(fmt.Errorf("--slo: %q: there is no operation %s here", text, name), "there is "+strings.Join(kinds, ", "))
		}
	}
	return nil
}

// name returns the name of a system that does not report one.
func (p *Plan) name() string {
	at := p.url
	if at == "" {
		at = p.props[p.Binding.Name+".url"]
	}
	if at == "" {
		return p.Binding.Name
	}
	return p.Binding.Name + " at " + p.Redact(at)
}

func (s *system) open(ctx context.Context, p *Plan) (err error) {
	if p.Agents != nil {
		return s.openAgents(ctx, p)
	}
	if p.Binding.OpenTarget != nil {
		if s.target, err = p.Binding.OpenTarget(ctx, p.settings); err != nil {
			return err
		}
		if x, ok := s.target.(interface{ Capabilities() kv.Capabilities }); ok {
			s.caps = x.Capabilities()
		}
		return nil
	}
	if s.db, err = p.Binding.OpenDB(ctx, p.settings); err != nil {
		return err
	}
	s.caps = s.db.Capabilities()
	if s.target, err = p.workloadTarget(s.db); err != nil {
		if u := (*ycsb.UnsupportedError)(nil); errors.As(err, &u) {
			return exit.Usage(fmt.Errorf("%s: not with %s, %s", u.Want, u.DB, u.Why), u.Advice)
		}
		return err
	}
	if s.caps.Load && !p.Job.NoLoad {
		s.loader, err = ycsb.Loader(p.Workload, s.db)
	}
	return err
}

// workloadTarget returns the target of the workload.
func (p *Plan) workloadTarget(db kv.DB) (load.Target, error) {
	if p.shared != nil {
		return p.shared(p.Workload, db)
	}
	return ycsb.New(p.Workload, db)
}

// openFailed gives an error of opening its exit code, unless it has one: a wrong property
// is wrong usage, a server that is down is not.
func (p *Plan) openFailed(err error) error {
	if e := exit.As(err); e != nil {
		return e
	}
	if r := (*load.RefusedError)(nil); errors.As(err, &r) {
		return exit.Usage(fmt.Errorf("%w (the run: %s)", err, p.asked()), "if you may load it: --allow-host "+r.Allow)
	}
	for name := range p.props {
		if strings.Contains(err.Error(), "property "+name) {
			return exit.Usage(err, "tare load bindings "+p.Binding.Name)
		}
	}
	return exit.Failed(err, "")
}

// close closes whatever was opened.
func (s *system) close() error {
	var errs []error
	for _, x := range []load.Target{s.loader, s.target} {
		if x != nil {
			errs = append(errs, x.Close())
		}
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	if s.agents != nil {
		errs = append(errs, s.agents.Close(s.complete))
	}
	return errors.Join(errs...)
}

// clean masks the secrets in an error. An error without secrets is returned as it is.
func (p *Plan) clean(err error) error {
	if err == nil {
		return nil
	}
	if text := p.Redact(err.Error()); text != err.Error() {
		redacted := &exit.Error{Err: errors.New(text), Code: exit.Failure}
		if e := exit.As(err); e != nil {
			redacted.Hint, redacted.Code = p.Redact(e.Hint), e.Code
		}
		return redacted
	}
	return err
}
