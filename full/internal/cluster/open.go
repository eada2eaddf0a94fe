package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
)

// openTime is how long agents may take to open the system.
const openTime = time.Minute

// Open has all agents open what is loaded. limit is for the whole run: an agent compares its share with its own limits.
func (k *Controller) Open(ctx context.Context, what []byte, limit Limits) (*Opened, error) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	agents := k.alive()
	total := 0
	for _, r := range agents {
		total += r.weight
	}
	all := make([]*Opened, len(agents))
	err := k.each(agents, func(r *remote) error {
		mine := limit
		mine.Rate = limit.Rate * float64(r.weight) / float64(total)
		a, err := k.order(ctx, r, order{Open: &openOrder{What: json.RawMessage(what), Limit: mine}})
		if err == nil {
			all[slices.Index(agents, r)] = a.Opened
		}
		return err
	})
	if err != nil {
		return nil, firstOf(err)
	}
	for i, o := range all {
		if o == nil || !slices.Equal(o.Kinds, all[0].Kinds) || o.Inserts != all[0].Inserts {
			return nil, fmt.Errorf("agents %s and %s do not have the same operations", agents[0].Name, agents[i].Name)
		}
	}
	k.mu.Lock()
	k.opened = all[0]
	k.mu.Unlock()
	return all[0], nil
}

// firstOf returns one error of many that say the same of different agents, with its hint.
func firstOf(err error) error {
	many, ok := err.(interface{ Unwrap() []error })
	if !ok || len(many.Unwrap()) < 2 {
		if ok && len(many.Unwrap()) == 1 {
			return many.Unwrap()[0]
		}
		return err
	}
	first := many.Unwrap()[0]
	more := fmt.Errorf("%w (and %d other agents)", first, len(many.Unwrap())-1)
	if e := exit.As(first); e != nil {
		return exit.Failed(more, e.Hint)
	}
	return more
}

// kinds returns the kinds of operations in their order.
func (k *Controller) kinds() []string {
	if k.opened == nil {
		return nil
	}
	return k.opened.Kinds
}

// Agents returns the machines of the run's agents.
func (k *Controller) Agents() (all []Machine) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.agents {
		all = append(all, r.Machine)
	}
	return all
}
