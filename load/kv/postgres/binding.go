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
			{Name: "statement", Short: "a SQL statement that is the operation, instead of a workload; parameters are $1, $2, …"},
			{Name: "args", Short: "values of its parameters, separated by commas; {k} is the operation's number, {k:N} that modulo N, {rand:N} a number below N"},
			{Name: "statement.NAME", Short: "one of several statements, and its name as an operation; args.NAME has its values"},
			{Name: "weight.NAME", Default: "1", Short: "share of the statement among all"},
			{Name: "postgres.layout", Default: layoutColumns, Short: "columns: one for each field; jsonb: one for all"},
		},
		OpenDB:     Open,
		OpenTarget: OpenStatements,
		TargetIf:   hasStatements,
	}
}
