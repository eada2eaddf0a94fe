package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings about runs of several load generators.
const (
	AgentLost        = "agent-lost"
	AgentMachine     = "agent-machine"
	AgentStopped     = "agent-stopped"
	ClocksApart      = "clocks-apart"
	CountsDiffer     = "counts-differ"
	FewerAgents      = "fewer-agents"
	MissingIntervals = "missing-intervals"
	StartsApart      = "starts-apart"
)

const agentsAnchor = "a-run-of-several-load-generators"

var agents = []Kind{
	{
		Code: AgentLost, Scope: record.AboutRun, Anchor: agentsAnchor,
		Sentence: "{agents}: [{lost} were due for {them}][none?nothing that was due for {them} is missing]",
		Advice:   "measure again; --on-loss stop ends a run at once, --on-loss redistribute has the others take over",
		Forms:    []Form{{Name: "unknown", Sentence: "{lost}", Advice: "the record does not say which: it is incomplete"}},
		When: "a load generator (agent) of a run of several was lost. Its remaining operations were not sent, or " +
			"their outcome is not known, unless other agents took them over",
	},
	{
		Code: AgentMachine, Scope: record.AboutRun, Anchor: agentsAnchor,
		Sentence: "agent {agent}: {suspicion}",
		Advice:   "its latencies may be those of its machine, and not of the system: give it fewer operations, or leave it out",
		When: "agents kept more than 80 % of a machine's cores busy. Or an agent's lateness (p99, from 100 " +
			"values) is at least 1 ms and five times the median of the others'",
	},
	{
		Code: AgentStopped, Scope: record.AboutRun, Anchor: agentsAnchor,
		Sentence: "{agents} before the end of the phase",
		Advice:   "see the output of the agent",
		When:     "an agent ended before the others",
	},
	{
		Code: ClocksApart, Scope: record.AboutRun, Anchor: agentsAnchor,
		Sentence: "the clocks of the agents are known only to ± {error}: what happened within that of the edge of an interval may count in the next one",
		Advice:   "a nearer controller, or a longer --status-interval; latencies do not depend on it",
		When: "an agent's clock offset is known less exactly than a twentieth of an interval. Latencies do not " +
			"depend on it",
	},
	{
		Code: CountsDiffer, Scope: record.AboutRun, Anchor: agentsAnchor,
		Sentence: "the counts of the agents do not add up to those of the phase",
		Advice:   "the record is incomplete or damaged",
		When:     "the counts of the agents do not add up to those of the phase",
	},
	{
		Code: FewerAgents, Scope: record.AboutRun, Anchor: agentsAnchor,
		Sentence: "{fewer} of {intervals} have figures of fewer than {agents} agents; the fewest are {least}",
		Advice:   "rates of these intervals are those of the agents that delivered",
		When:     "some intervals have figures from fewer agents than took part",
	},
	{
		Code: MissingIntervals, Scope: record.AboutRun, Anchor: agentsAnchor,
		Sentence: "{intervals} never came, of {agents}: the latencies in them are in no percentile",
		Advice:   "--resume gathers what agents have kept",
		When:     "figures of agents for some intervals never came: the latencies in them are in no percentile",
	},
	{
		Code: StartsApart, Scope: record.AboutRun, Anchor: agentsAnchor,
		Sentence: "the agents did not start together: the last began {after} after the first",
		Advice:   "a quieter machine for the agents that began late; the first interval has less of them",
		When:     "the first and the last agent started more than a twentieth of an interval apart",
	},
}
