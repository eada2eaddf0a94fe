package cli_test

import (
	_ "expvar" // for --watch-vars
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

// serverProgram is a web server for scripts to start, which call it as testserver.
func serverProgram() {
	port := flag.String("port", os.Getenv("PORT"), "")
	wait := flag.Duration("wait", 0, "before it listens")
	delay := flag.Duration("delay", time.Millisecond, "of each answer")
	life := flag.Duration("life", 0, "after which it exits with status 3")
	status := flag.Int("status", http.StatusOK, "of answers")
	flag.CommandLine.Parse(os.Args[1:])
	fmt.Println("testserver: about to listen at", *port)
	time.Sleep(*wait)
	if *life > 0 {
		time.AfterFunc(*life, func() {
			fmt.Println("testserver: out of memory")
			os.Exit(3)
		})
	}
	began := time.Now()
	http.HandleFunc("/ready", func(w http.ResponseWriter, r *http.Request) {
		if time.Since(began) < 200*time.Millisecond {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(*delay)
		w.WriteHeader(*status)
	})
	fmt.Println(http.ListenAndServe(net.JoinHostPort("127.0.0.1", *port), nil))
	os.Exit(1)
}
