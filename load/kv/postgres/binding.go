package postgres

import "github.com/tarebench/tare/load"

// Binding is how the command gets at PostgreSQL.
func Binding() load.Binding {
	return load.Binding{
		Name:    "postgres",
		Schemes: []string{"postgres", "postgresql"},
		Short:   "PostgreSQL on this machine",
		Properties: []load.Property{
			{Name: "postgres.dsn", Short: "postgres://user:password@host:port/database, or as libpq finds it", Secret: true},
			{Name: "postgres.layout", Default: layoutColumns, Short: "columns: one for each field; jsonb: one for all"},
		},
		OpenDB: Open,
	}
}
