package main

import (
	"context"
	"sync/atomic"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// nothing is the system under load: its operations do nothing but count themselves.
type nothing struct{ sent *atomic.Int64 }

func (t nothing) Opened() cluster.Opened {
	return cluster.Opened{Kinds: t.Kinds(), Capabilities: kv.Capabilities{Name: "nothing"}}
}

func (t nothing) Target(cluster.Role, uint64, [][2]uint64) (load.Target, error) { return t, nil }
func (t nothing) Kinds() []string                                               { return []string{"NOTHING"} }
func (t nothing) Worker(context.Context, int) (load.Worker, error)              { return t, nil }
func (t nothing) Prepare(uint64) int                                            { return 0 }
func (t nothing) Done(err error) error                                          { return err }
func (t nothing) Close() error                                                  { return nil }

func (t nothing) Do(context.Context, *load.Timer) error {
	t.sent.Add(1)
	return nil
}
