package postgres

import "github.com/tarebench/tare/load/kv"

// Binding returns the binding "postgres".
func Binding() kv.Binding {
	return kv.Binding{
		Name:    "postgres",
		Schemes: []string{"postgres", "postgresql"},
		Short:   "PostgreSQL",
		Properties: []kv.Property{
			{Name: "postgres.dsn", Short: "postgres://user:password@host:port/database, or as libpq finds it", Secret: true},
			{Name: "postgres.layout", Default: layoutColumns, Short: "columns: one for each field; jsonb: one for all"},
		},
		OpenDB: Open,
	}
}
