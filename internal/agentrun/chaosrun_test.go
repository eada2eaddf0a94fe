//go:build linux || darwin

package agentrun_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/cluster"
	"github.com/tarebench/tare/internal/cluster/nats"
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
	frozen map[int]bool      // agents that were away for longer than the controller waits
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
		"load", "--db", w.truth.url, "--rate", fmt.Sprintf("%d/s", w.rate), "--duration", w.duration.String(), "--warmup-duration", "0s",
		"--seed", strconv.FormatUint(w.seed&0xffffffff, 16), "--status-interval", w.interval.String(), "--drain", "3s", "--progress", "plain",
		"--agents", strconv.Itoa(w.history.agents), "--on-loss", w.policy, "--slowest", "0", "--allow-skew",
	}
	if w.poisson {
		args = append(args, "--arrivals", "poisson")
	}
	if w.strict {
		args = append(args, "--strict")
	}
	return append(args, w.connectArgs()...)
}

func (w *world) startAgent(i int) *process {
	name := agentName(i)
	return start(w.t, w.dir, "tare-full", "agent", "--join", w.proxies[i].url(), "--token", "@token", "--name", name, "--keep", filepath.Join(w.dir, "keep-"+name))
}

func agentName(i int) string { return fmt.Sprintf("agent-%c", 'a'+i) }

// happen has an event happen.
func (w *world) happen(e event) {
	switch e.what {
	case killAgent:
		w.killAgent(e.agent)
	case restartAgent:
		w.killAgent(e.agent)
		time.Sleep(e.long)
		p := w.startAgent(e.agent)
		w.mu.Lock()
		w.agents[e.agent] = p
		w.mu.Unlock()
	case freezeAgent:
		w.away(e)
		w.agent(e.agent).freeze(e.long)
	case holdAgent:
		w.away(e)
		w.proxies[e.agent].hold(true)
		time.Sleep(e.long)
		w.proxies[e.agent].hold(false)
	case cutAgent:
		w.away(e)
		w.proxies[e.agent].sever(true)
		time.Sleep(e.long)
		w.proxies[e.agent].sever(false)
	case freezeController:
		w.controller.freeze(e.long)
	case lateAgent:
		start(w.t, w.dir, "tare-full", "agent", "--join", "nats://"+w.address, "--token", "@token", "--name", fmt.Sprint("late-", e.agent), "--once")
	case restartServer:
		w.serving.Lock()
		defer w.serving.Unlock()
		w.server.kill()
		time.Sleep(e.long)
		w.startServer()
	case garbage:
		w.sendGarbage()
	case killController:
		w.controller.kill()
		w.mu.Lock()
		w.dead = time.Now()
		w.mu.Unlock()
	}
}

func (w *world) agent(i int) *process {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.agents[i]
}

func (w *world) killAgent(i int) {
	w.agent(i).kill()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.killed[i].IsZero() {
		w.killed[i] = time.Now()
	}
}

func (w *world) away(e event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.frozen[e.agent] = true
}

// sendGarbage sends what no agent sends, with an agent's token.
func (w *world) sendGarbage() {
	conn, err := nats.Dial(w.t.Context(), nats.DialConfig{URL: "nats://" + w.address, Token: testToken, ID: "garbage", Agent: true, Group: "tare"})
	if err != nil {
		return // the server is restarting
	}
	defer conn.Close()
	texts := []string{"", "{", "null", `{"id":"garbage"}`, `{"id":"other","state":"done"}`, `{"v":1,"id":"","name":"x"}`, `{"v":9,"id":"garbage","name":"y"}`, string(make([]byte, 4096)), "{\"id\":\"1\",\"part\":0,\"parts\":1}\n{\"seq\":1}", "{\"id\":\"1\",\"part\":1,\"parts\":200}\nx"}
	for _, subject := range []string{"hello", "beat.garbage", "data.garbage", "beat.agent-a", "agent.garbage", "control"} {
		for _, text := range texts {
			conn.Publish(subject, []byte(text))
		}
	}
	for _, text := range texts {
		conn.Request(timeout(w.t, time.Second), "hello", []byte(text))
		conn.Deliver(timeout(w.t, time.Second), "data.garbage", cluster.NewID(), []byte(text))
	}
}

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
