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
	"github.com/tarebench/tare/full/internal/cluster/conntest"
)

// serverVar is set in a process that is a server: its directory and its address, separated by a space.
const serverVar = "TARE_TEST_NATS_SERVER"

func TestMain(m *testing.M) {
	if config := os.Getenv(serverVar); config != "" {
		serve(config)
		return
	}
	if server := os.Getenv(fleetVar); server != "" {
		runFleet(server)
		return
	}
	os.Exit(m.Run())
}

// serve is a server until standard input ends.
func serve(config string) {
	dir, listen, _ := strings.Cut(config, " ")
	s, err := StartServer(ServerConfig{Dir: dir, Listen: listen, Token: "secret", Group: "test", controller: "other secret"})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(s.URL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	s.Close()
}

// process is a server of its own process, which can be killed.
type process struct {
	t    *testing.T
	dir  string
	url  string
	cmd  *exec.Cmd
	live io.Closer
}

func startProcess(t *testing.T) *process {
	p := &process{t: t, dir: t.TempDir()}
	p.start("127.0.0.1:0")
	t.Cleanup(p.kill)
	return p
}

func (p *process) start(listen string) {
	p.cmd = exec.Command(os.Args[0], "-test.run=^$")
	p.cmd.Env = append(os.Environ(), serverVar+"="+p.dir+" "+listen)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.live = in
	line, err := bufio.NewReader(out).ReadString('\n')
	if p.url = strings.TrimSpace(line); err != nil || !strings.HasPrefix(p.url, "nats://") {
		p.t.Fatalf("the server says %q, %v", line, err)
	}
}

// kill is kill -9.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // may have ended
	_ = p.cmd.Wait()
}

// stop lets the server end by itself.
func (p *process) stop() {
	p.live.Close()
	if err := p.cmd.Wait(); err != nil {
		p.t.Error(err)
	}
}

// restart starts the server at the same address, with the same store.
func (p *process) restart(end func()) {
	end()
	p.start(strings.TrimPrefix(p.url, "nats://"))
}

func (p *process) controller() cluster.Conn {
	return dial(p.t, DialConfig{URL: p.url, Token: "other secret"})
}

func (p *process) agent(id string) cluster.Conn {
	return dial(p.t, DialConfig{URL: p.url, Token: "secret", ID: id, Agent: true})
}

// TestContractKilled: the contract, with a server that is killed by kill -9.
func TestContractKilled(t *testing.T) {
	conntest.Run(t, conntest.Suite{Open: func(t *testing.T) conntest.World {
		p := startProcess(t)
		return conntest.World{
			Controller: p.controller(),
			Agents:     map[string]cluster.Conn{"a": p.agent("a"), "b": p.agent("b")},
			Restart:    func() { p.restart(p.kill) },
		}
	}})
}

// TestDuplicates: the server knows an id also after it was killed or ended, and from another connection.
func TestDuplicates(t *testing.T) {
	p := startProcess(t)
	controller, ctx := p.controller(), t.Context()
	deliver := func(c cluster.Conn, id string) {
		t.Helper()
		if err := c.Deliver(ctx, "data.a", id, []byte(id)); err != nil {
			t.Fatal(err)
		}
	}
	a := p.agent("a")
	deliver(a, "1")
	deliver(a, "1")
	p.restart(p.kill)
	deliver(a, "1")
	p.restart(p.stop)
	deliver(p.agent("a"), "1")
	deliver(a, "last")
	ctx, cancel := context.WithCancel(ctx)
	var got []string
	err := controller.Receive(ctx, "data.", func(m cluster.Message) error {
		if got = append(got, string(m.Data)); string(m.Data) == "last" {
			cancel()
		}
		return nil
	})
	if fmt.Sprint(got) != "[1 last]" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestKillsAtRandom: whatever Deliver acknowledged arrives once, with its data, while the server is killed at random times.
func TestKillsAtRandom(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	p := startProcess(t)
	const agents, messages = 4, 150
	var mu sync.Mutex
	got := map[string]int{}
	controller := p.controller()
	ctx, cancel := context.WithCancel(t.Context())
	received := make(chan error, 1)
	go func() {
		received <- controller.Receive(ctx, "data.", func(m cluster.Message) error {
			mu.Lock()
			defer mu.Unlock()
			got[m.Subject+" "+string(m.Data)]++
			return nil
		})
	}()
	var group sync.WaitGroup
	for i := range agents {
		id := fmt.Sprint("a", i)
		c, random := p.agent(id), rand.New(rand.NewPCG(seed, uint64(i)))
		group.Go(func() {
			for n := range messages {
				data := fmt.Sprint(n, strings.Repeat("x", random.IntN(20000)))
				if err := c.Deliver(t.Context(), "data."+id, fmt.Sprint(id, "-", n), []byte(data)); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Duration(random.IntN(5)) * time.Millisecond)
			}
		})
	}
	random := rand.New(rand.NewPCG(seed, agents))
	for range 5 {
		time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond)
		p.restart(p.kill)
	}
	group.Wait()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		mu.Lock()
		n := len(got)
		mu.Unlock()
		if n == agents*messages {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d of %d arrived", n, agents*messages)
		}
	}
	cancel()
	<-received
	for m, n := range got {
		if n != 1 {
			t.Errorf("%.20s arrived %d times", m, n)
		}
	}
}
