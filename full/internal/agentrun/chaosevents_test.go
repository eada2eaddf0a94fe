//go:build linux || darwin

package agentrun_test

import (
	"fmt"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/nats"
)

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
		w.reconnect(e)
		w.agent(e.agent).freeze(e.long)
	case holdAgent:
		w.reconnect(e)
		w.proxies[e.agent].hold(true)
		time.Sleep(e.long)
		w.proxies[e.agent].hold(false)
	case cutAgent:
		w.reconnect(e)
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

func (w *world) reconnect(e event) {
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
