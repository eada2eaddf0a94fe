//go:build linux || darwin

package agentrun_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/tarebench/tare/full/internal/agentrun"
	"github.com/tarebench/tare/internal/cli"
	"github.com/tarebench/tare/load/http"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/mock"
)

// programVar says which program this test binary is: tare-full, or a NATS server.
const programVar = "TARE_TEST_PROGRAM"

// limitVariable is the most bytes that a file of the program may have, as on a disk that is full.
const limitVariable = "TARE_TEST_FILE_SIZE"

func TestMain(m *testing.M) {
	if text := os.Getenv(limitVariable); text != "" {
		limitFiles(text)
	}
	switch os.Getenv(programVar) {
	case "tare-full":
		os.Exit(tareFull())
	case "nats-server":
		natsServer(os.Args[1], os.Args[2], os.Args[3])
	default:
		os.Exit(m.Run())
	}
}

// limitFiles has writes beyond a size fail.
func limitFiles(text string) {
	n, err := strconv.ParseUint(text, 10, 64)
	signal.Ignore(syscall.SIGXFSZ) // else it ends the process
	if err == nil {
		err = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n})
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
}

// tareFull is tare-full with the bindings that tests load.
func tareFull() int {
	bindings := []kv.Binding{http.Binding(), mock.Binding()}
	c := cli.Config{Bindings: bindings, Agents: func() cli.Agents { return &agentrun.Controller{} }, Agent: agentrun.Verb(bindings)}
	return cli.Main(c, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// natsServer is a team's own server until the standard input ends. It prints a line when it is ready.
func natsServer(listen, token, dir string) {
	host, text, err := net.SplitHostPort(listen)
	port, errPort := strconv.Atoi(text)
	if err != nil || errPort != nil {
		fmt.Println(err, errPort)
		os.Exit(2)
	}
	s, err := server.NewServer(&server.Options{Host: host, Port: port, Authorization: token, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true, DisableJetStreamBanner: true, MaxPayload: 2 << 20})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		fmt.Println("the server is not ready")
		os.Exit(1)
	}
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
	s.Shutdown()
}
