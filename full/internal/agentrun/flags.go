package agentrun

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/loadrun"
)

// tokenVariable is the environment variable that has the token, so that no command line needs it.
const tokenVariable = "TARE_TOKEN"

// connection are the flags of a connection that a controller and an agent share.
type connection struct {
	token, creds, group string
	cert, key, ca       string
}

// A Controller is the flags of tare load that concern agents.
type Controller struct {
	connection
	agents  string
	listen  string
	nats    string
	onLoss  string
	keep    string
	timeout time.Duration
	skew    bool
	resume  string
	local   int // agents that are started here
	wanted  cluster.Wanted
}

// Register adds the flags to tare load.
func (c *Controller) Register(fl *pflag.FlagSet) {
	fl.StringVar(&c.agents, "agents", "", "tare-full: other processes generate the load: `N` that join, a,b or a=2,b=1 by name and weight, or local:N started here; see tare-full agent")
	fl.StringVar(&c.listen, "agents-listen", "", "where agents of other machines join: `HOST:PORT`; needs --agents-token, --agents-cert and --agents-key (default: this machine alone)")
	fl.StringVar(&c.nats, "nats", "", "`URL` of a NATS server with JetStream that exists, instead of one in this process")
	fl.StringVar(&c.token, "agents-token", "", "a `TOKEN` that agents need, or @FILE (default: the variable "+tokenVariable+", or a random one for local agents)")
	fl.StringVar(&c.creds, "nats-creds", "", "a `file` of credentials for --nats")
	fl.StringVar(&c.cert, "agents-cert", "", "the certificate of this machine, a `file` of PEM")
	fl.StringVar(&c.key, "agents-key", "", "the key of --agents-cert, a `file` of PEM")
	fl.StringVar(&c.ca, "agents-ca", "", "a `file` of PEM: agents need certificates of these authorities; with --nats those that its server may have")
	fl.StringVar(&c.group, "agents-group", "tare", "`name` under which this controller and its agents meet; one controller at a time may use it")
	fl.StringVar(&c.onLoss, "on-loss", string(cluster.LossContinue), "what happens when an agent is lost: continue without it, stop, or redistribute what is due for it to the others")
	fl.StringVar(&c.keep, "agents-keep", "", "`directory` in which local agents keep what they counted until the record is whole, for --resume")
	fl.StringVar(&c.resume, "resume", "", "write the record of a run by agents whose controller ended early: `FILE` is its partial record, the rest comes from --agents")
	fl.DurationVar(&c.timeout, "agents-timeout", 30*time.Second, "how long to wait for agents to join")
	fl.BoolVar(&c.skew, "allow-skew", false, "start although the clocks of agents are not known within a twentieth of an interval")
	flags.Offer(fl, "on-loss", string(cluster.LossContinue), string(cluster.LossStop), string(cluster.LossRedistribute))
}

// Agents checks the flags. It returns nil if no agents are asked for.
func (c *Controller) Agents(set func(string) bool) (loadrun.Agents, error) {
	if c.agents == "" {
		for _, name := range []string{"agents-listen", "nats", "agents-token", "nats-creds", "agents-cert", "agents-key", "agents-ca", "agents-group", "on-loss", "agents-keep", "agents-timeout", "allow-skew", "resume"} {
			if set(name) {
				return nil, exit.Usage(fmt.Errorf("--%s needs --agents", name), "--agents local:2 starts two here")
			}
		}
		return nil, nil
	}
	if err := c.parse(); err != nil {
		return nil, err
	}
	return c, nil
}

// parse checks what can be checked without a network.
func (c *Controller) parse() (err error) {
	text, local := strings.CutPrefix(c.agents, "local:")
	if c.wanted, err = cluster.ParseWanted(text); err != nil || local && len(c.wanted.Named) > 0 {
		if err == nil {
			err = fmt.Errorf("%q: want local:N", c.agents)
		}
		return exit.Usage(fmt.Errorf("--agents: %w", err), "")
	}
	if local {
		if c.local = c.wanted.Count; c.local > maxLocal {
			return exit.Usage(fmt.Errorf("--agents %s: at most %d on one machine", c.agents, maxLocal), "")
		}
	}
	switch cluster.OnLoss(c.onLoss) {
	case cluster.LossContinue, cluster.LossStop, cluster.LossRedistribute:
	default:
		return exit.Usage(fmt.Errorf("--on-loss %q is none of continue, stop, redistribute", c.onLoss), "")
	}
	switch {
	case c.keep != "" && !local:
		return exit.Usage(errors.New("--agents-keep is for local agents"), "others have tare-full agent --keep DIR")
	case c.nats != "" && c.listen != "":
		return exit.Usage(errors.New("--nats and --agents-listen contradict each other: with --nats no server is started here"), "")
	case c.creds != "" && c.nats == "":
		return exit.Usage(errors.New("--nats-creds needs --nats"), "")
	case (c.cert == "") != (c.key == ""):
		return exit.Usage(errors.New("--agents-cert and --agents-key belong together"), "")
	case c.timeout <= 0:
		return exit.Usage(fmt.Errorf("--agents-timeout %s is not above 0", c.timeout), "")
	}
	if err := cluster.CheckName(c.group); err != nil {
		return exit.Usage(fmt.Errorf("--agents-group: %w", err), "")
	}
	if c.token, err = readToken(c.token); err != nil {
		return exit.Usage(fmt.Errorf("--agents-token: %w", err), "")
	}
	return nil
}

// maxLocal limits the agents that are started here.
const maxLocal = 64

// readToken returns a token that was given as it is, as @FILE, or by the environment.
func readToken(text string) (string, error) {
	name, file := strings.CutPrefix(text, "@")
	switch {
	case file:
		content, err := input.Content(name, 1<<16)
		if err != nil {
			return "", err
		}
		text = strings.TrimSpace(string(content))
		if text == "" {
			return "", fmt.Errorf("%s is empty", name)
		}
	case text == "":
		text = os.Getenv(tokenVariable)
	}
	return text, nil
}

// Count implements [loadrun.Agents].
func (c *Controller) Count() int { return c.wanted.Count }

// Asked implements [loadrun.Agents].
func (c *Controller) Asked() string { return c.agents }

// OnLoss implements [loadrun.Agents].
func (c *Controller) OnLoss() string { return c.onLoss }

// Resume returns the partial record of a run whose results agents kept; "" if a run is to be measured.
func (c *Controller) Resume() string { return c.resume }

// Secrets returns what no output may contain.
func (c *Controller) Secrets() []string {
	if c.token == "" {
		return nil
	}
	return []string{c.token}
}
