package grpc

import (
	"time"

	"github.com/tarebench/tare/load/kv"
)

// The defaults of properties.
const (
	defaultExpect = "OK"
	defaultLimit  = 64 << 20
	defaultSetUp  = 10 * time.Second
)

// headerPrefix is the prefix of properties that set metadata.
const headerPrefix = "grpc.header."

// Binding returns the binding "grpc".
func Binding() kv.Binding {
	return kv.Binding{
		Name:    "grpc",
		Schemes: []string{"grpc", "grpcs"},
		Short:   "a gRPC service; takes no workload",
		Properties: []kv.Property{
			{Name: "grpc.url", Short: "grpc://HOST:PORT/PACKAGE.SERVICE/METHOD; grpcs:// over TLS"},
			{Name: "grpc.body", Short: "the message in JSON with {k}, {k:N} and {rand:N}, or @FILE; for a stream an array or JSON Lines"},
			{Name: headerPrefix + "NAME", Short: "metadata of every call"},
			{Name: "grpc.proto", File: true, Short: "a .proto file with the service (default: ask the server, by reflection)"},
			{Name: "grpc.import", Short: "folders of what grpc.proto imports, with commas between them"},
			{Name: "grpc.descriptors", File: true, Short: "a file with a FileDescriptorSet, instead of grpc.proto"},
			{Name: "grpc.timeout", Short: "deadline of a call; default --op-timeout"},
			{Name: "grpc.expect", Default: defaultExpect, Short: "status codes that are no errors, as OK,NotFound"},
			{Name: "grpc.limit", Default: "67108864", Short: "the longest answer, in bytes"},
			{Name: "grpc.insecure", Default: "false", Short: "true: without checking the server's certificate"},
			{Name: "grpc.ca", File: true, Short: "a file of trusted certificates in PEM, instead of the system's"},
			{Name: "grpc.cert", File: true, Short: "a file with the client's certificate in PEM"},
			{Name: "grpc.key", File: true, Short: "a file with its key in PEM"},
			{Name: "grpc.servername", Short: "name in the server's certificate, instead of the host's"},
		},
		OpenTarget: Open,
	}
}
