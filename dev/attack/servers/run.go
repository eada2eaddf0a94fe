//go:build linux

package servers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"

	"github.com/tarebench/tare/dev/attack/mutate"
	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/dev/attack/target"
	"github.com/tarebench/tare/internal/process/spawn"
)

// Each is the number of runs of each illness and protocol at scale 1.
const Each = 10

// Run attacks tare load by both protocols, and passes the row of each to done.
func Run(ctx context.Context, c target.Config, done tally.Done) error {
	for _, protocol := range []string{"http", "redis"} {
		what := fmt.Sprintf("%d runs", c.Count(len(illnesses)*Each))
		err := c.Attack(ctx, "sick server "+protocol, what, done, func(row *tally.Row, l *spawn.Launcher) error {
			a := &attack{Config: c, protocol: protocol, row: row, launcher: l}
			return a.run(ctx)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

type attack struct {
	target.Config
	protocol string
	row      *tally.Row
	launcher *spawn.Launcher

	refused atomic.Int64
}

func (a *attack) run(ctx context.Context) error {
	const together = 3 // they mostly wait
	err := a.Inputs(len(illnesses)*Each).Each(ctx, together, func(number int) error { return a.try(ctx, number) })
	a.row.Note = fmt.Sprintf("%d kinds of illness; %d runs were refused or failed, and said so; the counts of the others add up", len(illnesses), a.refused.Load())
	return err
}

// try runs a load against one ill server.
func (a *attack) try(ctx context.Context, number int) error {
	rng := mutate.Seed(a.Seed, a.protocol, number)
	s := &server{illness: illnesses[number%len(illnesses)], rng: rand.New(rand.NewPCG(a.Seed, uint64(number))), read: readHTTP, failure: failHTTP}
	if a.protocol == "redis" {
		s.read, s.failure = readRedis, failRedis
	}
	s.well, s.every = int64(rng.IntN(250)), int64(1+rng.IntN(3))
	if s.illness.always {
		s.well, s.every = 0, 1
	}
	if err := s.start(); err != nil {
		return err
	}
	defer s.close()
	args, format := a.arguments(rng, s)
	o, err := a.Config.Run(ctx, a.launcher, target.Command{Args: args, Dir: a.Work, Limit: target.MaxWait})
	if err != nil {
		return err
	}
	a.row.Tried(o.Peak)
	add := func(kind, text string) {
		a.row.Add(tally.Finding{Input: number, Kind: kind, Text: fmt.Sprintf("%s after %d requests, each %d.: tare %s: %s", s.illness.name, s.well, s.every, strings.Join(args, " "), text)})
	}
	for _, f := range o.Judge(target.Limits{Codes: []int{0, 1}, Memory: target.MaxMemory, CPU: target.MaxTime}) {
		add(f.Kind, f.Text)
	}
	if o.Code != 0 {
		a.refused.Add(1)
	}
	if o.Output == "" || o.Hung || o.Died != "" || format != "json" {
		return nil
	}
	text, err := check(o.Output, s.requests.Load())
	if err != nil {
		text = "its JSON cannot be read: " + err.Error()
	}
	if text != "" && (text != noCounts || o.Code == 0) {
		add(tally.Other, text)
	}
	return nil
}

// arguments draws how the load is sent and shown. The books are only kept of JSON.
func (a *attack) arguments(rng *rand.Rand, s *server) (args []string, format string) {
	format = shownAs[rng.IntN(len(shownAs))]
	args = []string{
		"load", "--progress", []string{"none", "none", "plain"}[rng.IntN(3)], "--format", format, "--warmup-duration", "100ms", "--duration", "1s", "--op-timeout", "300ms", "--drain", "300ms",
		"--seed", fmt.Sprintf("%x", rng.Uint32()),
	}
	if a.protocol == "redis" {
		args = append(args, "--db", "redis://"+s.listener.Addr().String(), "--workload", "a", "--records", "10")
	} else {
		args = append(args, "--db", "http://"+s.listener.Addr().String()+"/{k}")
	}
	choose := func(options ...string) { args = append(args, strings.Fields(options[rng.IntN(len(options))])...) }
	choose("--rate 200", "--rate 200", "--rate 50..400", "--rate 300 --arrivals poisson", "--workers 3", "--operations 100 --rate 200")
	choose("", "--on-late skip=10ms", "--on-late limit=2x", "--max-outstanding 4")
	choose("", "--max-errors 20", "--slo errors<100%")
	return possible(args), format
}

// shownAs are the formats; half of the runs have JSON.
var shownAs = []string{"json", "json", "json", "json", "text", "csv", "md", "ycsb"}

// possible drops options that cannot be had at once: without a rate nothing is late.
func possible(args []string) []string {
	if !strings.Contains(strings.Join(args, " "), "--rate") {
		for i, a := range args {
			if a == "--on-late" || a == "--max-outstanding" {
				return append(args[:i:i], args[i+2:]...)
			}
		}
	}
	return args
}
