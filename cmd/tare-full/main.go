// Command tare-full is tare with what is too large for it: the bindings of
// PostgreSQL, Pebble and gRPC, scenarios, live pages, load by agents, benchmarks on several
// machines combined, and the disassemblers of other processors. It measures Go benchmarks as
// interleaved forks, loads databases on a schedule, and subtracts its own weight. Run tare help for its verbs.
package main

import (
	"os"

	"github.com/tarebench/tare/internal/agentrun"
	"github.com/tarebench/tare/internal/cli"
	"github.com/tarebench/tare/load/grpc"
	"github.com/tarebench/tare/load/http"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/bolt"
	"github.com/tarebench/tare/load/kv/mem"
	"github.com/tarebench/tare/load/kv/memcached"
	"github.com/tarebench/tare/load/kv/mock"
	"github.com/tarebench/tare/load/kv/pebble"
	"github.com/tarebench/tare/load/kv/postgres"
	"github.com/tarebench/tare/load/kv/redis"
)

func main() {
	bindings := []kv.Binding{
		bolt.Binding(), grpc.Binding(), http.Binding(), mem.Binding(), memcached.Binding(), mock.Binding(), pebble.Binding(), postgres.Binding(), redis.Binding(),
	}
	config := cli.Config{Bindings: bindings, Agents: func() cli.Agents { return &agentrun.Controller{} }, Agent: agentrun.Verb(bindings)}
	os.Exit(cli.Main(config, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
