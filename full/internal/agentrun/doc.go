// Package agentrun is tare load by agents, and the verb agent: it connects what package loadrun plans with the controllers and
// agents of package cluster, over NATS. Only tare-full has it.
package agentrun
