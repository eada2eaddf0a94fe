package postgres

import (
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest"
	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

// TestServer runs what takes a server: making one takes two seconds of a processor.
func TestServer(t *testing.T) {
	s := servers.Postgres(t)
	t.Run("open", func(t *testing.T) { testOpenErrors(t, s) })
	t.Run("statements", func(t *testing.T) { testStatements(t, s) })
	t.Run("conformance", func(t *testing.T) { testConformance(t, s) })
}

func testConformance(t *testing.T, s *servers.Server) {
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
