//go:build linux || darwin

package agentrun_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const testToken = "a token of tests"

// A world is the processes of a history.
type world struct {
	*history
	t          *testing.T
	dir        string
	address    string // of the NATS server
	truth      *truth
	server     *process // nil if it is in the controller
	controller *process
	agents     []*process
	proxies    []*proxy
	record     string
	stalls     *stalls

	serving sync.Mutex // held while the server is started anew

	mu     sync.Mutex
	killed map[int]time.Time // agents, when
	frozen map[int]bool      // agents that were suspended for longer than the controller waits
	dead   time.Time         // when the controller was killed
}

func (h *history) run(t *testing.T) {
	w := &world{history: h, t: t, dir: t.TempDir(), truth: newTruth(t), killed: map[int]time.Time{}, frozen: map[int]bool{}}
	w.address, w.stalls = freeAddress(t), watchStalls(t)
	w.record = filepath.Join(w.dir, "run.jsonl")
	write(t, filepath.Join(w.dir, "token"), testToken)
	if h.external {
		w.startServer()
	}
	w.controller = start(t, w.dir, "tare-full", append(w.loadArgs(), "-o", w.record)...)
	defer func() {
		if t.Failed() {
			w.show()
		}
	}()
	if !h.external && !w.controller.says("waiting for agents", 20*time.Second) {
		t.Fatal("the controller is not ready")
	}
	for i := range h.agents {
		w.proxies = append(w.proxies, newProxy(t, w.address))
		w.agents = append(w.agents, w.startAgent(i))
	}
	select {
	case <-w.truth.began:
	case <-w.controller.ended:
		t.Fatalf("the controller has ended: %v", w.controller.err)
	case <-time.After(30 * time.Second):
		t.Fatal("no operation was sent")
	}
	var events sync.WaitGroup
	for _, e := range h.events {
		events.Go(func() {
			time.Sleep(time.Until(w.truth.first.Add(e.at)))
			w.happen(e)
		})
	}
	code := w.controller.code(90 * time.Second)
	events.Wait()
	if code == -2 {
		w.controller.signal(syscall.SIGQUIT)
		w.controller.code(5 * time.Second)
		t.Fatal("the controller does not end")
	}
	w.mu.Lock()
	died := !w.dead.IsZero()
	w.mu.Unlock()
	if died && code == -1 {
		w.resume()
		return
	}
	w.check(w.record, code)
}

func (w *world) startServer() {
	w.server = start(w.t, w.dir, "nats-server", w.address, testToken, filepath.Join(w.dir, "store"))
	if !w.server.says("ready", 20*time.Second) {
		w.t.Errorf("the server does not start: %s", w.server.out)
	}
}

func (w *world) connectArgs() []string {
	if w.external {
		return []string{"--nats", "nats://" + w.address, "--agents-token", "@token"}
	}
	return []string{"--agents-listen", w.address, "--agents-token", "@token"}
}

func (w *world) loadArgs() []string {
	args := []string{
		"load", "--db", w.truth.url, "--warmup-duration", "0s",
		"--seed", strconv.FormatUint(w.seed&0xffffffff, 16), "--status-interval", w.interval.String(), "--drain", "3s", "--progress", "plain",
		"--agents", w.askedAgents(), "--on-loss", w.policy, "--slowest", "0", "--allow-skew",
	}
	if w.closed > 0 {
		args = append(args, "--operations", fmt.Sprint(w.closed), "--workers", "6")
	} else {
		args = append(args, "--rate", fmt.Sprintf("%d/s", w.rate), "--duration", w.duration.String())
	}
	if w.poisson && w.closed == 0 {
		args = append(args, "--arrivals", "poisson")
	}
	if w.strict {
		args = append(args, "--strict")
	}
	return append(args, w.connectArgs()...)
}

// askedAgents returns the value of --agents.
func (w *world) askedAgents() string {
	if !w.weights {
		return strconv.Itoa(w.history.agents)
	}
	var names []string
	for i := range w.history.agents {
		names = append(names, fmt.Sprintf("%s=%d", agentName(i), 1+(i+int(w.seed%3))%3))
	}
	return strings.Join(names, ",")
}

func (w *world) startAgent(i int) *process {
	name := agentName(i)
	return start(w.t, w.dir, "tare-full", "agent", "--join", w.proxies[i].url(), "--token", "@token", "--name", name, "--keep", filepath.Join(w.dir, "keep-"+name))
}

func agentName(i int) string { return fmt.Sprintf("agent-%c", 'a'+i) }

// show logs what the processes printed.
func (w *world) show() {
	w.t.Logf("controller:\n%s", w.controller.out)
	for i := range w.agents {
		w.t.Logf("agent %d:\n%s", i, w.agent(i).out)
	}
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func write(t *testing.T, path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
