// Command tare measures Go benchmarks as interleaved forks, loads databases on a
// schedule, and subtracts its own weight. Run tare help for its verbs.
package main

import (
	"os"

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

func main() {
	bindings := []kv.Binding{
		bolt.Binding(), http.Binding(), mem.Binding(), memcached.Binding(), mock.Binding(), postgres.Binding(), redis.Binding(),
	}
	os.Exit(cli.Main(cli.Config{Bindings: bindings, Run: cli.Replace}, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
