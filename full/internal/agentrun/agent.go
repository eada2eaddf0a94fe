package agentrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/nats"
	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// agentFlags are the flags of tare-full agent.
type agentFlags struct {
	connection
	join    string
	name    string
	allow   []string
	maxRate string
	maxTime time.Duration
	keep    string
	files   bool
	once    bool
	local   bool
	quiet   bool
}

const agentLong = `tare-full agent offers this machine as a load generator: it joins the controller, which is
tare-full load --agents, and sends the operations that the controller hands it. It needs a
connection to the controller only; nothing listens here.

It sends load to this machine alone, unless --allow-host names others: the consent of the run is
needed, too. Orders have no code and no commands, and name files of this machine only with
--allow-files.

An agent that is there before its controller waits for it, and so does one whose run is over, unless
--once is given.

If no message of the controller arrives for 4 seconds, the agent sends no more operations. What it counted is
kept until the controller has written the whole record, with --keep also when the agent ends:
tare-full load --resume gathers it.`

// command returns the verb agent.
func command(stdin io.Reader, stderr io.Writer, bindings []kv.Binding) *cobra.Command {
	f := &agentFlags{}
	cmd := &cobra.Command{
		Use: "agent --join URL [flags]", Short: "Generate load for a controller on another machine", Long: agentLong, Args: cobra.NoArgs,
		Example: `  tare-full agent --join nats://127.0.0.1:4222 --token @token.txt --name a
  tare-full agent --join tls://load.example.com:4222 --token @token.txt --ca ca.pem --allow-host shop.example.com --max-rate 5000/s`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(stdin, stderr, loadrun.AgentRules{Bindings: bindings, Allow: f.allow, Files: f.files})
		},
	}
	cmd.Flags().SortFlags = false
	f.register(cmd.Flags())
	return cmd
}

func (f *agentFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.join, "join", "", "`URL` of the controller or of the NATS server: nats://HOST:PORT on this machine, tls://HOST:PORT elsewhere")
	fl.StringVar(&f.token, "token", "", "the controller's `TOKEN`, or @FILE (default: the variable "+tokenVariable+")")
	fl.StringVar(&f.name, "name", "", "`name` of this agent, which no other one of a run has (default: that of the host)")
	fl.StringArrayVar(&f.allow, "allow-host", nil, "a target off this machine that this agent may load: `HOST`[:PORT], an address, or a CIDR block; repeatable")
	fl.StringVar(&f.maxRate, "max-rate", "", "refuse orders of more operations than `N/s` (default no limit)")
	fl.DurationVar(&f.maxTime, "max-duration", 0, "refuse orders of longer runs (default no limit)")
	fl.BoolVar(&f.files, "allow-files", false, "orders may name files of this machine: certificates, schemas, bodies, data of scenarios")
	fl.StringVar(&f.keep, "keep", "", "`directory` in which results are kept until the controller has them all")
	fl.StringVar(&f.ca, "ca", "", "a `file` of PEM with the authorities of the server's certificate (default: those of the system)")
	fl.StringVar(&f.cert, "cert", "", "a certificate of this machine, a `file` of PEM, if the server asks for one")
	fl.StringVar(&f.key, "key", "", "the key of --cert, a `file` of PEM")
	fl.StringVar(&f.creds, "nats-creds", "", "a `file` of credentials of a NATS server")
	fl.StringVar(&f.group, "group", "tare", "`name` under which the agent and its controller meet")
	fl.BoolVar(&f.once, "once", false, "end after one run")
	fl.BoolVar(&f.local, "local", false, "end with the standard input")
	fl.BoolVar(&f.quiet, "quiet", false, "print errors only")
	for _, name := range []string{"local", "quiet"} {
		fl.MarkHidden(name) // of agents that a controller starts
	}
}

// run takes part in runs until it is interrupted.
func (f *agentFlags) run(stdin io.Reader, stderr io.Writer, rules loadrun.AgentRules) error {
	most, err := f.check()
	if err != nil {
		return err
	}
	signals := session.CatchSignals(func(os.Signal) {})
	defer signals.Stop()
	ctx, cancel := signals.FirstContext()
	defer cancel()
	t, err := f.clientTLS()
	if err != nil {
		return err
	}
	c := cluster.AgentConfig{
		Machine: machine(f.name), ID: cluster.NewID(), Most: most, Timing: cluster.DefaultTiming(), Once: f.once,
		Open: func(ctx context.Context, what []byte) (cluster.System, error) { return open(ctx, what, rules) },
		Note: func(text string) {
			if !f.quiet {
				fmt.Fprintf(stderr, "tare: agent %s: %s\n", f.name, exit.Shown(text))
			}
		},
	}
	if f.keep != "" {
		if c.Store, err = cluster.NewFileStore(f.keep); err != nil {
			return exit.Failed(fmt.Errorf("--keep: %w", err), "")
		}
	}
	conn, err := dial(ctx, nats.DialConfig{URL: f.join, Token: f.token, ID: c.ID, Agent: true, TLS: t, Creds: f.creds, Group: f.group, Name: f.name}, c.Note)
	if signals.Caught() {
		return signals.ExitError()
	}
	if err != nil {
		return err
	}
	defer conn.Close()
	c.Note("offered to " + f.join)
	if f.local {
		ctx = untilEnd(ctx, stdin, c.Timing.Lease)
	}
	err = cluster.RunAgent(ctx, conn, c)
	if signals.Caught() {
		return signals.ExitError()
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// untilEnd returns a context that ends some time after the standard input does, when the agent has stopped by itself and
// delivered or kept the rest.
func untilEnd(ctx context.Context, stdin io.Reader, wait time.Duration) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		io.Copy(io.Discard, stdin)
		time.AfterFunc(wait+time.Second, cancel)
	}()
	return ctx
}

// check returns the agent's own limits.
func (f *agentFlags) check() (most cluster.Limits, err error) {
	if f.join == "" {
		return most, exit.Usage(errors.New("--join is missing: the address that tare-full load --agents prints"), "tare-full agent --join nats://127.0.0.1:4222 --token @FILE")
	}
	if f.maxRate != "" {
		if most.Rate, err = pace.ParseRate(f.maxRate); err != nil {
			return most, exit.Usage(fmt.Errorf("--max-rate: %w", err), "")
		}
	}
	if most.Duration = f.maxTime; f.maxTime < 0 {
		return most, exit.Usage(fmt.Errorf("--max-duration %s is below 0", f.maxTime), "")
	}
	if f.name == "" {
		f.name, _ = os.Hostname()
	}
	if err := cluster.CheckAgentName(f.name); err != nil {
		return most, exit.Usage(fmt.Errorf("--name: %w", err), "")
	}
	if err := cluster.CheckName(f.group); err != nil {
		return most, exit.Usage(fmt.Errorf("--group: %w", err), "")
	}
	if (f.cert == "") != (f.key == "") {
		return most, exit.Usage(errors.New("--cert and --key belong together"), "")
	}
	if _, err := load.ParseConsent(f.allow); err != nil {
		return most, exit.Usage(fmt.Errorf("--allow-host %w", err), "")
	}
	if f.token, err = readToken(f.token); err != nil {
		return most, exit.Usage(fmt.Errorf("--token: %w", err), "")
	}
	return most, nil
}

// machine describes this one.
func machine(name string) cluster.Machine {
	host, _ := os.Hostname()
	return cluster.Machine{Name: name, Host: host, PID: os.Getpid(), OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: env.Describe().Cores, Tare: session.Version()}
}

// open opens the system of an order.
func open(ctx context.Context, what []byte, rules loadrun.AgentRules) (cluster.System, error) {
	o, err := loadrun.OpenOrder(ctx, what, rules)
	if err != nil {
		return nil, err
	}
	return ordered{o}, nil
}

// ordered is the system of an order, as an agent sees it.
type ordered struct{ *loadrun.Ordered }

func (o ordered) Opened() cluster.Opened {
	return cluster.Opened{Kinds: o.Kinds(), Capabilities: o.Capabilities(), Inserts: o.Inserts()}
}

func (o ordered) Target(role cluster.Role, first uint64, before [][2]uint64) (load.Target, error) {
	switch role {
	case cluster.RoleRun:
		return o.Ordered.Target(first, before), nil
	case cluster.RoleInsert:
		if l := o.Loader(); l != nil {
			return l, nil
		}
	case cluster.RoleIdle:
		return o.Idle(context.Background())
	}
	return nil, fmt.Errorf("it has no target for %q", role)
}
