package postgres

import (
	"testing"

	"github.com/tarebench/tare/internal/loadtest"
	"github.com/tarebench/tare/internal/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

func TestConformance(t *testing.T) {
	s := servers.Postgres(t)
	for form, server := range map[string]*loadtest.Server{
		layoutColumns: {Kill: s.Kill, Start: s.Start, Stop: s.Stop, Cont: s.Cont},
		layoutJSONB:   nil, // which makes no difference to connections
	} {
		t.Run(form, func(t *testing.T) {
			loadtest.Run(t, loadtest.Config{
				Open:   Open,
				Props:  kv.Properties{"postgres.dsn": servers.PostgresDSN(s.Addr), "postgres.layout": form},
				Keys:   loadtest.Text,
				Server: server,
			})
		})
	}
}
