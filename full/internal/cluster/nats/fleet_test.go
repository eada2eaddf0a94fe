package nats

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/usage"
)

// fleet connects agents to a server, and counts what its controller receives.
type fleet struct {
	server *Server
	agents []cluster.Conn
	mu     sync.Mutex
	got    map[string]int // "subject size"
	grown  *sync.Cond
	stop   func()
}

func startFleet(t testing.TB, agents int) *fleet {
	s := start(t, ServerConfig{})
	controller := dial(t, DialConfig{Server: s})
	f := &fleet{server: s, got: map[string]int{}}
	f.grown = sync.NewCond(&f.mu)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- controller.Receive(ctx, "data.", f.receive) }()
	f.stop = func() { cancel(); <-done }
	for i := range agents {
		f.agents = append(f.agents, agent(t, s, fmt.Sprint("a", i)))
	}
	return f
}

func (f *fleet) receive(m cluster.Message) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.got[fmt.Sprint(m.Subject, " ", len(m.Data))]++
	f.grown.Signal()
	return nil
}

// wait returns when as many different messages have arrived.
func (f *fleet) wait(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.got) < n {
		f.grown.Wait()
	}
}

// deliver has an agent deliver its n-th message, of about 4 KiB. Messages have different sizes.
func (f *fleet) deliver(t testing.TB, i, n int) {
	subject := fmt.Sprint("data.a", i)
	if err := f.agents[i].Deliver(context.Background(), subject, fmt.Sprint(i, "-", n), make([]byte, 4096+n)); err != nil {
		t.Error(err)
	}
}

const (
	fleetAgents  = 200
	fleetSeconds = 5
)

// fleetVar is set in a process of the agents of TestFleet: URL and token of the server, separated by a space.
const fleetVar = "TARE_TEST_NATS_FLEET"

// runFleet delivers 4 KiB each second, as each of the agents. It begins when standard input ends.
func runFleet(server string) {
	url, token, _ := strings.Cut(server, " ")
	var connected, done sync.WaitGroup
	start := make(chan bool)
	connected.Add(fleetAgents)
	for i := range fleetAgents {
		done.Go(func() {
			id := fmt.Sprint("a", i)
			c, err := Dial(context.Background(), DialConfig{URL: url, Token: token, ID: id, Agent: true, Group: "test"})
			connected.Done()
			<-start
			for n := 0; n < fleetSeconds && err == nil; n++ {
				time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond) // so that not all deliver at once
				err = c.Deliver(context.Background(), "data."+id, fmt.Sprint(id, "-", n), make([]byte, 4096+n))
				time.Sleep(800 * time.Millisecond)
			}
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		})
	}
	connected.Wait()
	fmt.Println("connected")
	_, _ = io.Copy(io.Discard, os.Stdin)
	close(start)
	done.Wait()
}

// TestFleet: 200 agents of another process that deliver 4 KiB each second lose nothing, and nothing arrives twice.
func TestFleet(t *testing.T) {
	testutil.NeedLong(t, "200 agents for 5 s")
	f := startFleet(t, 0)
	agents := exec.Command(os.Args[0], "-test.run=^$")
	agents.Env = append(os.Environ(), fleetVar+"="+f.server.URL()+" "+f.server.Token())
	in, err := agents.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := agents.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agents.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(out)
	if line, err := said.ReadString('\n'); line != "connected\n" {
		t.Fatalf("%q, %v", line, err)
	}
	u := usage.Measure(func() {
		in.Close()
		rest, _ := io.ReadAll(said)
		if err := agents.Wait(); err != nil {
			t.Fatalf("%v: %s", err, rest)
		}
		f.wait(fleetAgents * fleetSeconds)
	})
	t.Logf("server and controller: %s of CPU in %s; agents: %s in all", u.CPU, u.Real, agents.ProcessState.UserTime()+agents.ProcessState.SystemTime())
	f.stop()
	for m, n := range f.got {
		if n != 1 {
			t.Errorf("%s arrived %d times", m, n)
		}
	}
}

// BenchmarkDeliver reports the CPU time of a message from Deliver to Receive: agent, server and controller together.
func BenchmarkDeliver(b *testing.B) {
	const agents = 50
	f := startFleet(b, agents)
	defer f.stop()
	u := usage.Measure(func() {
		for n := 0; b.Loop(); n++ {
			var group sync.WaitGroup
			for i := range agents {
				group.Go(func() { f.deliver(b, i, n) })
			}
			group.Wait()
		}
		f.wait(b.N * agents)
	})
	messages := float64(b.N * agents)
	b.ReportMetric(float64(u.CPU.Microseconds())/messages, "cpu-µs/message")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/messages, "µs/message")
}
