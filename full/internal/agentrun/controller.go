package agentrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/nats"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// system is a system that agents have opened. It implements [loadrun.AgentsSystem].
type system struct {
	*cluster.Controller
	opened *cluster.Opened
	link   *link
	local  *localAgents
}

// Open implements [loadrun.Agents].
func (c *Controller) Open(ctx context.Context, r loadrun.AgentsRequest) (loadrun.AgentsSystem, error) {
	s, err := c.join(ctx, "", r.Allowed, r.Note)
	if err != nil {
		return nil, err
	}
	if s.opened, err = s.Controller.Open(ctx, r.Order, cluster.Limits{Rate: r.Rate, Duration: r.Duration}); err != nil {
		return nil, errors.Join(err, s.Close(true))
	}
	return s, nil
}

// Gather implements [loadrun.Agents].
func (c *Controller) Gather(ctx context.Context, run string, note func(string), begin func(load.Config, bool) load.Sink) error {
	s, err := c.join(ctx, run, nil, note)
	if err != nil {
		return err
	}
	err = s.Controller.Gather(ctx, run, func(p cluster.Phase) load.Sink {
		if p.Role == cluster.RoleIdle {
			return nil
		}
		return begin(p.Config, p.Role == cluster.RoleInsert)
	})
	return errors.Join(err, s.Close(err == nil))
}

// join connects, starts local agents, and waits until all agents are there; only those that kept results of the run gathered, if
// it is not "".
func (c *Controller) join(ctx context.Context, gathered string, allowed []string, note func(string)) (s *system, err error) {
	l, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	s = &system{link: l}
	s.Controller, err = cluster.NewController(ctx, l.conn, cluster.Config{
		Name: cluster.NewID(), Gathered: gathered, Tare: session.Version(), OnLoss: cluster.OnLoss(c.onLoss), AllowSkew: c.skew, Timing: cluster.DefaultTiming(), Note: note,
	})
	if err != nil {
		l.conn.Close()
		l.close()
		return nil, err
	}
	if c.local > 0 {
		s.local, err = c.startLocal(l, allowed, s.Gone)
	} else if l.server != nil {
		note(fmt.Sprintf("waiting for agents: tare-full agent --join %s", l.server.URL()))
	}
	if err == nil {
		waiting, cancel := context.WithTimeout(ctx, c.timeout)
		defer cancel()
		if err = s.Join(waiting, c.wanted); err != nil {
			err = s.local.explain(err)
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.Close(true))
	}
	return s, nil
}

// Close implements [loadrun.AgentsSystem].
func (s *system) Close(complete bool) error {
	if complete && s.link.server == nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		nats.Remove(ctx, s.link.conn) // of what is stored elsewhere; it would be dropped by the next run
		cancel()
	}
	s.local.expectEnd()
	err := s.Controller.Close(complete)
	s.local.end(complete)
	s.link.close()
	return err
}

// Run implements [loadrun.AgentsSystem].
func (s *system) Run() string { return s.Config.Name }

// Kinds implements [loadrun.AgentsSystem].
func (s *system) Kinds() []string { return s.opened.Kinds }

// Inserts implements [loadrun.AgentsSystem].
func (s *system) Inserts() bool { return s.opened.Inserts }

// Elsewhere implements [loadrun.AgentsSystem].
func (s *system) Elsewhere() (names []string) {
	host, _ := os.Hostname()
	for _, a := range s.Agents() {
		if a.Host != host {
			names = append(names, a.Name)
		}
	}
	return names
}

// Capabilities implements [loadrun.AgentsSystem].
func (s *system) Capabilities() kv.Capabilities { return s.opened.Capabilities }

// Target implements [loadrun.AgentsSystem].
func (s *system) Target() loadrun.AgentsTarget { return target{s, cluster.RoleRun} }

// Loader implements [loadrun.AgentsSystem].
func (s *system) Loader() loadrun.AgentsTarget { return target{s, cluster.RoleInsert} }

// target has agents run the phases of a load run. It implements [loadrun.AgentsTarget].
type target struct {
	system *system
	role   cluster.Role
}

func (t target) Kinds() []string { return t.system.opened.Kinds }
func (t target) Close() error    { return nil }

func (t target) Worker(context.Context, int) (load.Worker, error) {
	return nil, errors.New("agentrun: phases of agents are run by Run")
}

// Run implements [loadrun.AgentsTarget].
func (t target) Run(ctx context.Context, c load.Config, sink load.Sink) (*load.Interval, error) {
	return t.system.Controller.Run(ctx, t.role, c, sink)
}

// Idle implements [loadrun.AgentsTarget].
func (t target) Idle() load.Target { return target{t.system, cluster.RoleIdle} }
