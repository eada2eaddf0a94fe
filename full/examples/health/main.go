// Command health serves one gRPC service, grpc.health.v1.Health, and says by reflection what it is. docs/load.md loads it.
//
//	go -C full run ./examples/health -addr 127.0.0.1:9000
package main

import (
	"flag"
	"log"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:9000", "listen on `HOST:PORT`")
	flag.Parse()
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(newServer().Serve(listener))
}

func newServer() *grpc.Server {
	s := grpc.NewServer()
	services := health.NewServer()
	services.SetServingStatus("shop", grpc_health_v1.HealthCheckResponse_SERVING)
	grpc_health_v1.RegisterHealthServer(s, services)
	reflection.Register(s)
	return s
}
