package loadrun

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/process/service"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// Names of the sides of --against.
const (
	baseSide = "old"
	newSide  = "new"
)

// Bounds of how often servers are started by default, by the duration of a run. Six starts allow a verdict on one figure
// (see stat.ComparePairs); with the corrections for several it takes more.
const (
	leastStarts = 8
	mostStarts  = 20
	startEvery  = 6 * time.Second
)

// servedSide is one of the two that are compared, or the only one of a run whose server tare starts.
type servedSide struct {
	record.Side
	url   string   // instead of --db; "" for that
	words []string // of its server; nil if it runs already
	at    string   // address of the server, "" for a free port
}

// sidePlan is how sides are compared.
type sidePlan struct {
	sides  []*servedSide // two; one if there is nothing to compare
	window time.Duration
	starts int // of both servers; 0: they run already
	pairs  int // of windows, for each start
}

// compares reports whether there is something to compare.
func (p *sidePlan) compares() bool { return p != nil && len(p.sides) == 2 }

// planSides finds what is compared, and which servers are started. It runs after configure.
func (p *Plan) planSides(j *job.Load, configured bool, bad *exit.Problems) {
	if !j.Compares() && j.Serve == "" {
		return
	}
	sp := &sidePlan{window: j.Window}
	if len(j.Sides) > 0 {
		sp.addSides(j.Sides, bad)
	} else {
		words := splitCommand("--serve", j.Serve, bad)
		if j.Against != "" {
			sp.sides = append(sp.sides, &servedSide{Side: record.Side{Name: baseSide, Revision: j.Against}, words: words})
		}
		sp.sides = append(sp.sides, &servedSide{Side: record.Side{Name: newSide}, words: words})
	}
	p.sides = sp
	if sp.compares() && configured {
		p.planPairs(j, bad)
	}
	p.placeServers(bad)
}

// addSides reads NAME=URL and NAME=COMMAND.
func (sp *sidePlan) addSides(texts []string, bad *exit.Problems) {
	for _, text := range texts {
		name, what, ok := strings.Cut(text, "=")
		if !ok || name == "" || strings.TrimSpace(what) == "" || strings.ContainsAny(name, " \t/:") {
			bad.Add("--side %q is not NAME=URL or NAME=COMMAND", load.Redact("", text))
			continue
		}
		x := &servedSide{Side: record.Side{Name: name}}
		if scheme, _, isURL := strings.Cut(what, "://"); isURL && !strings.ContainsAny(scheme, " \t") {
			x.url = what
		} else {
			x.words = splitCommand("--side "+name, what, bad)
		}
		sp.sides = append(sp.sides, x)
	}
	if len(sp.sides) == 2 && sp.sides[0].Name == sp.sides[1].Name {
		bad.Add("--side: both sides have the name %s", sp.sides[0].Name)
	}
	if len(sp.sides) == 2 && (sp.sides[0].words == nil) != (sp.sides[1].words == nil) {
		bad.Add("--side: one side is a URL and the other a command: only two of a kind are comparable")
	}
}

func splitCommand(flag, text string, bad *exit.Problems) []string {
	words, err := shellwords.Split(text)
	if err == nil && len(words) == 0 {
		err = errors.New("there is no command")
	}
	if err != nil && text != "" {
		bad.Add("%s: %v", flag, err)
	}
	return words
}

// enoughForP99 is how many operations a window has at least, if its length is not given: ten beyond p99, and a few for
// what falls on the edges of the window.
const enoughForP99 = 1050

// planPairs plans windows and starts.
func (p *Plan) planPairs(j *job.Load, bad *exit.Problems) {
	sp, c := p.sides, &p.Run
	if sp.window == 0 {
		sp.window = time.Second
		if rate := c.Schedule.Rate; rate > 0 {
			sp.window = max(sp.window, (time.Duration(enoughForP99/rate*1e9) + 99*time.Millisecond).Truncate(100*time.Millisecond))
		}
	}
	if sp.window < 100*time.Millisecond {
		bad.Add("--side-duration %s is less than 100ms: a window needs many operations", sp.window)
		return
	}
	blocks := 1
	if sp.sides[0].words != nil || len(sp.sides) > 1 && sp.sides[1].words != nil {
		sp.starts = j.Starts
		if sp.starts == 0 {
			sp.starts = min(max(leastStarts, int(c.Duration/startEvery)), mostStarts)
		}
		blocks = sp.starts
	} else if j.Given["starts"] {
		bad.Add("--starts: tare cannot start servers that it has only the URLs of; give --side NAME=COMMAND")
	}
	if blocks < 1 || blocks > 1000 {
		bad.Add("--starts %d is not from 1 to 1000", blocks)
		return
	}
	sp.pairs = int(c.Duration / (2 * sp.window) / time.Duration(blocks))
	if sp.pairs < 1 {
		bad.Add("--duration %s does not hold a pair of windows of %s for each of %d starts: give --duration %s, or a shorter --side-duration", c.Duration, sp.window, blocks, 2*sp.window*time.Duration(blocks))
	}
}

// placeServers finds where the servers listen: at a free port if the target has {port}, else where the target is.
func (p *Plan) placeServers(bad *exit.Problems) {
	free := strings.Contains(p.url, service.PortWord)
	for _, value := range p.props {
		free = free || strings.Contains(value, service.PortWord)
	}
	for _, x := range p.sides.sides {
		if x.words == nil || free {
			continue
		}
		if p.sides.compares() {
			bad.Add("two servers at once need a port each: write %s in --db, as http://127.0.0.1:%s/, and in the command, or have it heed the variable PORT", service.PortWord, service.PortWord)
			return
		}
		host, ok := hostOf(p.url)
		if !ok {
			bad.Add("where the server of --serve listens is not known: give --db a URL with a port, or with %s", service.PortWord)
			return
		}
		x.at = host
	}
}

// hostOf returns the host:port of a URL, if it has a port.
func hostOf(url string) (string, bool) {
	_, rest, ok := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	return host, ok && strings.Contains(host, ":") && !strings.HasSuffix(host, ":")
}

// describeSides returns the sides in words.
func (sp *sidePlan) describe() string {
	text := fmt.Sprintf("pairs of windows of %s, in random order", sp.window)
	if sp.starts > 0 {
		text += fmt.Sprintf("; each server is started %d times, with %d pairs for each", sp.starts, sp.pairs)
	}
	return text
}

// firstSideURL returns the URL of the first side, "" if it is a command: it names the database, where --db does not.
func firstSideURL(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	_, what, _ := strings.Cut(texts[0], "=")
	if !strings.Contains(what, "://") || strings.Contains(what, " ") {
		return ""
	}
	return what
}

// warmups is how many there are: each server that is started has one.
func (sp *sidePlan) warmups() int {
	if !sp.compares() {
		return 1
	}
	return max(sp.starts, 1) * len(sp.sides)
}
