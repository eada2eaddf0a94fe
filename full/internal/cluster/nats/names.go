package nats

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/full/internal/cluster"
)

// controllerID is the name of a controller that has none.
const controllerID = "controller"

// group is what separates runs that share a server. The zero value is none.
type group string

func (g group) check() error {
	if err := cluster.CheckName(string(g)); err != nil {
		return fmt.Errorf("group: %w", err)
	}
	return nil
}

// full returns a subject as the server sees it.
func (g group) full(subject string) string { return "tare." + string(g) + "." + subject }

// short is the inverse of full.
func (g group) short(subject string) string { return strings.TrimPrefix(subject, g.full("")) }

// stream returns the name of the stream of delivered messages.
func (g group) stream() string { return "TARE_" + string(g) }

// inbox returns the prefix of the subjects on which answers arrive. Those of controllers have another, so that no agent can
// listen to them by its name.
func (g group) inbox(id string, agent bool) string {
	if agent {
		return g.full("inbox." + id)
	}
	return g.full("answers." + id)
}

// isInbox reports whether answers may arrive on a subject. An agent could ask to be answered on any other: on the subject of
// all agents, in the controller's name.
func (g group) isInbox(subject string) bool {
	return strings.HasPrefix(subject, g.full("inbox.")) || strings.HasPrefix(subject, g.full("answers."))
}
