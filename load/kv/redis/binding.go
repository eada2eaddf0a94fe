package redis

import "github.com/tarebench/tare/load/kv"

// Binding returns the binding "redis".
func Binding() kv.Binding {
	return kv.Binding{
		Name:    "redis",
		Schemes: []string{"redis", "rediss"},
		Short:   "Redis, or a server that speaks its protocol",
		Properties: []kv.Property{
			{Name: "redis.addr", Default: defaultAddr, Short: "host:port, or the path of a Unix socket"},
			{Name: "redis.username", Short: "user of the access list"},
			{Name: "redis.password", Short: "password", Secret: true},
			{Name: "redis.db", Default: "0", Short: "number of the database"},
			{Name: "redis.tls", Default: "false", Short: "true, or insecure: without checking the certificate"},
		},
		OpenDB: Open,
	}
}
