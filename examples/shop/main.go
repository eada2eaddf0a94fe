// Command shop serves a small shop over HTTP: log in, list what there is, buy. docs/load.md loads it.
//
//	go run ./examples/shop -addr 127.0.0.1:8080
//
// One request in a hundred is slow, for a reason that many services have. The file background.diff mends it.
package main

import (
	"flag"
	"log"
	"net/http"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "listen on `HOST:PORT`")
	flag.Parse()
	server := &http.Server{Addr: *addr, Handler: newShop(time.Second).handler(), ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
