// Package agentrun is tare load by agents, and the verb agent: it connects what package loadrun plans with the controllers and
// agents of package cluster, over NATS. Only tare-full has it.
//
// A run, from the flag to the record (tare-full load --agents 3):
//
//  1. loadrun.Plan makes a plan as for one machine, and loadrun.Plan.order what agents need to know to open the target: no
//     code.
//  2. Controller.Open starts the NATS server in this process, or dials the team's (cluster/nats), and starts local agents.
//  3. cluster.Controller.Join waits for the agents and measures how far each one's clock is off. An agent is
//     cluster.RunAgent.
//  4. cluster.Controller.Open has each agent open the target (loadrun.OpenOrder), within the agent's own limits and consent.
//  5. cluster.Controller.Run runs a phase: agents open their workers, say that they are ready, and begin at one instant.
//  6. An agent's load.Run sends the operations of its share (load.Share): those whose number mod a pattern is its own. The
//     schedule is that of the whole run.
//  7. After each interval the agent keeps its counts (cluster.Store) and delivers them. cluster.merger adds up those of the
//     same interval, and writes it when all agents have delivered it or are lost.
//  8. The lines are those of one load generator, and one of "agent" for each. What reads the record goes on as without
//     agents.
package agentrun
