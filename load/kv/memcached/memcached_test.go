package memcached

import (
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest"
	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

func TestConformance(t *testing.T) {
	s := servers.Memcached(t)
	loadtest.Run(t, loadtest.Config{
		Open:   Open,
		Props:  kv.Properties{"memcached.addr": s.Addr},
		Keys:   loadtest.Plain,
		MaxKey: 200, // and the table's name
		Server: &loadtest.Server{Kill: s.Kill, Start: s.Start, Stop: s.Stop, Cont: s.Cont},
	})
}
