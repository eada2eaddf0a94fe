package postgres

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tarebench/tare/internal/testkit/loadtest"
	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

func BenchmarkOperations(b *testing.B) {
	s := servers.Postgres(b)
	for _, form := range []string{layoutColumns, layoutJSONB} {
		b.Run(form, func(b *testing.B) {
			loadtest.Bench(b, loadtest.Config{
				Open:  Open,
				Props: kv.Properties{"postgres.dsn": servers.PostgresDSN(s.Addr), "postgres.layout": form},
				Keys:  loadtest.Text,
			})
		})
	}
}

// BenchmarkAgainstBare compares with loops over pgx as anybody would write them:
// a connection for each worker, statements prepared by pgx.
func BenchmarkAgainstBare(b *testing.B) {
	const workers = 8
	s := servers.Postgres(b)
	props := kv.Properties{"postgres.dsn": servers.PostgresDSN(s.Addr)}
	connect := func() *pgx.Conn {
		c, err := pgx.Connect(ctx, servers.PostgresDSN(s.Addr))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { c.Close(ctx) })
		return c
	}
	b.Run("read", func(b *testing.B) {
		target := servers.Workload(b, workers, false, Open, props)
		servers.Against(b, workers, target, func(n int) func() error {
			c := connect()
			var f [10][]byte
			return func() error {
				n++
				return c.QueryRow(ctx, "SELECT field0, field1, field2, field3, field4, field5, field6, field7, field8, field9 "+
					"FROM usertable WHERE ycsb_key = $1", servers.Key(n)).
					Scan(&f[0], &f[1], &f[2], &f[3], &f[4], &f[5], &f[6], &f[7], &f[8], &f[9])
			}
		})
	})
	b.Run("update", func(b *testing.B) {
		target := servers.Workload(b, workers, true, Open, props)
		value := make([]byte, 100)
		servers.Against(b, workers, target, func(n int) func() error {
			c := connect()
			return func() error {
				n++
				_, err := c.Exec(ctx, "UPDATE usertable SET field3 = $2 WHERE ycsb_key = $1", servers.Key(n), value)
				return err
			}
		})
	})
}
