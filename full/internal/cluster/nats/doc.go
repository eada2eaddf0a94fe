// Package nats connects a controller and its agents over NATS: a server embedded in the controller's process, or one that a
// team runs.
//
//	s, err := nats.StartServer(nats.ServerConfig{Token: token, Dir: dir, Group: "run1"})
//	controller, err := nats.Dial(ctx, nats.DialConfig{Server: s, Group: "run1"})
//	agent, err := nats.Dial(ctx, nats.DialConfig{URL: s.URL(), Token: token, ID: "a1", Agent: true, Group: "run1"})
//
// Subjects of a [cluster.Conn] are those below "tare.GROUP.": what is published on "control" is on "tare.GROUP.control" for
// the server. Messages that are delivered are kept by JetStream in the stream TARE_GROUP, until [Remove].
//
// A delivered message survives the end of the server's process, also by kill -9. It survives the end of the machine only if
// it was delivered [syncInterval] before.
//
// The embedded server gives each agent the rights of [cluster.AgentRights]. Whoever has the token may take any name. On a
// team's own server the rights are those that its configuration gives.
package nats
