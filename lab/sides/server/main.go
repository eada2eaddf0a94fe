// Command server answers HTTP requests after a time that is distributed lognormally, as lab/sides needs it.
package main

import (
	"flag"
	"log"
	"math"
	"math/rand/v2"
	"net/http"
	"time"
)

// The times: their median, and the standard deviation of their logarithm.
const (
	median = 2 * time.Millisecond
	sigma  = 0.7
	z95    = 1.6448536269514722 // 95th percentile of the standard normal distribution
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "listen on `HOST:PORT`")
	slower := flag.Float64("slower", 0, "share by which the slowest 5 % of the answers are later")
	flag.Parse()
	answer := func(w http.ResponseWriter, _ *http.Request) {
		work(30 * time.Microsecond)
		time.Sleep(wait(rand.NormFloat64(), *slower))
		w.Write([]byte("ok\n"))
	}
	server := &http.Server{Addr: *addr, Handler: http.HandlerFunc(answer), ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}

// wait returns the time that belongs to a value z of the standard normal distribution.
func wait(z, slower float64) time.Duration {
	ns := float64(median) * math.Exp(sigma*z)
	if z > z95 {
		ns *= 1 + slower
	}
	return time.Duration(ns)
}

// work uses a processor for a time.
func work(d time.Duration) {
	for began := time.Now(); time.Since(began) < d; {
	}
}
