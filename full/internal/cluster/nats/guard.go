package nats

import (
	"crypto/sha256"
	"crypto/subtle"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/tarebench/tare/full/internal/cluster"
)

// answerTime is how long after a request an agent may answer it.
const answerTime = 10 * time.Minute

// guard decides who may connect to an embedded server, and with which rights.
type guard struct {
	group             group
	agent, controller [sha256.Size]byte // of their tokens
}

func newGuard(g group, agent, controller string) *guard {
	return &guard{group: g, agent: sha256.Sum256([]byte(agent)), controller: sha256.Sum256([]byte(controller))}
}

// Check is called by the server for each connection, with what the other side says of itself. It takes the same time for
// every token.
func (g *guard) Check(c server.ClientAuthentication) bool {
	said := c.GetOpts()
	token := sha256.Sum256([]byte(said.Token))
	isController := subtle.ConstantTimeCompare(token[:], g.controller[:]) == 1
	isAgent := subtle.ConstantTimeCompare(token[:], g.agent[:]) == 1
	id, _, _ := strings.Cut(said.Name, " ")
	switch {
	case c.Kind() != server.CLIENT || cluster.CheckName(id) != nil:
		return false
	case isController:
		c.RegisterUser(&server.User{Username: id})
	case isAgent:
		c.RegisterUser(&server.User{Username: id, Permissions: g.rights(id)})
	default:
		return false
	}
	return true
}

// rights returns those of an agent.
func (g *guard) rights(id string) *server.Permissions {
	publish, subscribe := cluster.AgentRights(id)
	for i := range publish {
		publish[i] = g.group.full(publish[i])
	}
	for i := range subscribe {
		subscribe[i] = g.group.full(subscribe[i])
	}
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: publish},
		Subscribe: &server.SubjectPermission{Allow: append(subscribe, g.group.inbox(id, true)+".>")},
		Response:  &server.ResponsePermission{MaxMsgs: 1, Expires: answerTime},
	}
}
