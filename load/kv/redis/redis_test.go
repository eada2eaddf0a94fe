package redis

import (
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest"
	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

func TestConformance(t *testing.T) {
	s := servers.Redis(t)
	loadtest.Run(t, loadtest.Config{
		Open:   Open,
		Props:  kv.Properties{"redis.addr": s.Addr},
		Blind:  true, // HSET makes what it does not find
		Server: &loadtest.Server{Kill: s.Kill, Start: s.Start, Stop: s.Stop, Cont: s.Cont},
	})
}
