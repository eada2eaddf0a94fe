package cluster

import (
	"context"

	"github.com/tarebench/tare/load"
)

// SetEngine has an agent run phases by f instead of load.Run, for tests in fake time.
func (c *AgentConfig) SetEngine(f func(context.Context, load.Target, load.Config, load.Sink) (*load.Interval, error)) {
	c.engine = f
}
