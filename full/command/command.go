// Package command is what tare-full can do, for the program and for what writes its documents.
package command

import (
	"github.com/tarebench/tare/full/internal/agentrun"
	"github.com/tarebench/tare/full/load/grpc"
	"github.com/tarebench/tare/full/load/kv/pebble"
	"github.com/tarebench/tare/internal/cli"
	"github.com/tarebench/tare/load/http"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/bolt"
	"github.com/tarebench/tare/load/kv/mem"
	"github.com/tarebench/tare/load/kv/memcached"
	"github.com/tarebench/tare/load/kv/mock"
	"github.com/tarebench/tare/load/kv/postgres"
	"github.com/tarebench/tare/load/kv/redis"
)

// Config returns the configuration of tare with all bindings and with load by agents.
func Config() cli.Config {
	bindings := []kv.Binding{
		bolt.Binding(), grpc.Binding(), http.Binding(), mem.Binding(), memcached.Binding(), mock.Binding(), pebble.Binding(), postgres.Binding(), redis.Binding(),
	}
	return cli.Config{Bindings: bindings, Agents: func() cli.Agents { return &agentrun.Controller{} }, Agent: agentrun.Verb(bindings)}
}
