package mock

import (
	"fmt"
	"math"
	"time"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/load/kv"
)

// Binding returns the binding "mock".
func Binding() kv.Binding {
	return kv.Binding{
		Name:  "mock",
		Short: "no database: operations take a configured time",
		Properties: []kv.Property{
			{Name: "mock.delay", Default: "0s", Short: "what each operation takes"},
			{Name: "mock.random", Default: "false", Short: "mock.distribution=uniform"},
			{Name: "mock.distribution", Default: constant, Short: "of delays: constant; uniform from 0 to mock.delay; exponential with that mean; lognormal with that median; pareto from it on; bimodal"},
			{Name: "mock.sigma", Default: "1", Short: "lognormal: standard deviation of the natural logarithm, 0 to 5"},
			{Name: "mock.alpha", Default: "2", Short: "pareto: tail index, 0.1 to 100; a small one is a heavy tail, up to 1 without a mean"},
			{Name: "mock.slow", Default: "10 × mock.delay", Short: "bimodal: the other delay"},
			{Name: "mock.slow.share", Default: "0.01", Short: "bimodal: the share that has it, 0 to 1"},
			{Name: "mock.servers", Default: "0", Short: "how many operations are served at once, first come, first served; 0 for all"},
			{Name: "mock.stall", Default: "0s", Short: "how long nothing is served, again and again"},
			{Name: "mock.stall.every", Default: "10s", Short: "from the beginning of a stall to that of the next"},
			{Name: "mock.mode", Short: `"stalls": four modes of delay, the last of which stops everybody`},
			{Name: "basicdb.simulatedelay", Short: "mock.delay in ms, by YCSB's name"},
			{Name: "basicdb.randomizedelay", Default: "true", Short: "random whole ms below it, by YCSB's name"},
			{Name: "basicdb.verbose", Default: "false", Short: "print each operation: to stdout with --format ycsb, else to stderr"},
			{Name: "basicdb.count", Default: "false", Short: "print how many different operations there were, in the same place"},
		},
		OpenDB: Open,
	}
}

// settings are what the properties say.
type settings struct {
	delays
	servers      int           // 0 for any number
	stall, every time.Duration // stall is 0 if there is none
}

func (s settings) String() string {
	text := s.delays.String()
	if s.servers > 0 {
		text += fmt.Sprintf(", %d at once", s.servers)
		if mean := s.mean(); !math.IsInf(mean, 1) {
			most, places := float64(s.servers)/mean*1e9, 0
			if most < 100 {
				places = 2
			}
			text += ": at most " + units.Fixed(most, places) + "/s"
		}
	}
	if s.stall > 0 {
		text += fmt.Sprintf(", stalls of %v every %v", s.stall, s.every)
	}
	return text
}

// Limits of properties.
const (
	maxServers = 1_000_000
	day        = 24 * 3600 * 1000 // ms
)

// settingsOf reads the properties. It fails if they contradict each other or are unknown.
func settingsOf(p kv.Properties) (s settings, err error) {
	g := p.Getter()
	if s.delay = g.Duration("mock.delay", 0); s.delay > longest {
		g.Fail("mock.delay", "must be at most "+longest.String())
	}
	s.shape = g.OneOf("mock.distribution", "", constant, uniform, exponential, lognormal, pareto, bimodal)
	s.modes = g.OneOf("mock.mode", "", "stalls") == "stalls"
	if g.Bool("mock.random", false) {
		if s.shape != "" && s.shape != uniform {
			g.Fail("mock.random", "means mock.distribution=uniform; set one of them")
		}
		s.shape = uniform
	}
	switch {
	case g.Has("basicdb.simulatedelay"):
		s.basicDB(g)
	case s.shape != "" && s.delay == 0 && !s.modes:
		name := "mock.random"
		if g.Has("mock.distribution") {
			name = "mock.distribution"
		}
		g.Fail(name, "needs mock.delay, by which delays are random")
	}
	s.shapes(g)
	s.capacity(g)
	if s.modes && (s.delay != 0 || s.shape != "" || s.servers != 0 || s.stall != 0) {
		g.Fail("mock.mode", "stalls have their own delays: give no other")
	}
	g.Bool("basicdb.verbose", false)
	g.Bool("basicdb.count", false)
	g.Known("mock.", Binding().Properties)
	g.Known("basicdb.", Binding().Properties)
	return s, g.Err()
}

// basicDB reads the delay by YCSB's names.
func (s *settings) basicDB(g *kv.Getter) {
	if g.Has("mock.delay") || g.Has("mock.random") || g.Has("mock.distribution") {
		g.Fail("basicdb.simulatedelay", "mock.delay, mock.random and mock.distribution have the same meaning; set one of them")
	}
	s.delay = time.Duration(g.IntIn("basicdb.simulatedelay", 0, 0, day)) * time.Millisecond
	if g.Bool("basicdb.randomizedelay", true) {
		s.shape, s.whole = uniform, true
	}
}

// shapes reads what the distribution needs, and refuses what another one does.
func (s *settings) shapes(g *kv.Getter) {
	for _, x := range [...]struct{ name, shape string }{{"mock.sigma", lognormal}, {"mock.alpha", pareto}, {"mock.slow", bimodal}, {"mock.slow.share", bimodal}} {
		if g.Has(x.name) && s.shape != x.shape {
			g.Fail(x.name, "belongs to mock.distribution="+x.shape)
		}
	}
	switch s.shape {
	case lognormal:
		s.sigma = floatIn(g, "mock.sigma", 1, 0, 5)
	case pareto:
		s.alpha = floatIn(g, "mock.alpha", 2, 0.1, 100)
	case bimodal:
		s.slow, s.share = g.Duration("mock.slow", min(10*min(s.delay, longest), longest)), floatIn(g, "mock.slow.share", 0.01, 0, 1)
	}
}

// capacity reads how much is served at once, and when nothing is.
func (s *settings) capacity(g *kv.Getter) {
	s.servers = int(g.IntIn("mock.servers", 0, 0, maxServers))
	if s.servers > 0 && s.delay == 0 && !s.modes {
		g.Fail("mock.servers", "needs mock.delay: without one no server is ever busy")
	}
	s.stall, s.every = g.Duration("mock.stall", 0), g.Duration("mock.stall.every", 10*time.Second)
	switch {
	case s.stall >= s.every && s.stall > 0:
		g.Fail("mock.stall", "must be shorter than mock.stall.every, which is "+s.every.String())
	case s.every < leastEvery:
		g.Fail("mock.stall.every", "must be at least "+leastEvery.String())
	case s.stall == 0 && g.Has("mock.stall.every"):
		g.Fail("mock.stall.every", "needs mock.stall")
	}
}

// leastEvery bounds how many stalls a run has: each is a line of its record.
const leastEvery = time.Millisecond

func floatIn(g *kv.Getter, name string, or, least, most float64) float64 {
	x := g.Float(name, or)
	if x < least || x > most {
		g.Fail(name, fmt.Sprintf("must be %g to %g", least, most))
		return or
	}
	return x
}
