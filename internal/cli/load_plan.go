package cli

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
	"github.com/tarebench/tare/record"
)

// loadPlan is what the flags of a load run come to.
type loadPlan struct {
	binding    *kv.Binding
	url        string
	props      kv.Properties // of the workload, files and -p, the later ones winning
	given      kv.Properties // without those of a workload that is built in
	workload   ycsb.Config   // unless the binding is a target by itself
	run        load.Config
	warmup     time.Duration
	seed       record.Seed
	slo        []string
	settings   kv.Settings
	onLate     string
	latency    string
	noLoad     bool
	secretVals session.Redactor
}

// wrongs gathers everything that is wrong with a command line.
type wrongs struct{ list []string }

func (w *wrongs) add(format string, args ...any) {
	w.list = append(w.list, fmt.Sprintf(format, args...))
}

func (w *wrongs) addError(err error) {
	if err != nil {
		w.list = append(w.list, err.Error())
	}
}

func (w *wrongs) err(hint string) error {
	if len(w.list) == 0 {
		return nil
	}
	return usageError(errors.New(strings.Join(w.list, "; ")), hint)
}

// plan checks the flags. What contradicts is told at once.
func (f *loadFlags) plan(fl *pflag.FlagSet, bindings []kv.Binding) (*loadPlan, error) {
	p := &loadPlan{onLate: f.onLate, noLoad: f.noLoad}
	var err error
	if p.binding, p.url, err = findBinding(bindings, f.db); err != nil {
		return nil, err
	}
	if err := p.properties(f); err != nil {
		return nil, err
	}
	p.hideSecrets()
	var w wrongs
	f.fromProperties(fl, p.given, &w)
	f.checkNumbers(&w)
	p.configure(f, fl.Changed, &w)
	if _, err := record.ParseSeed(f.seed); f.seed != "" && err != nil {
		w.add("--seed: %v", err)
	}
	for _, o := range f.slo {
		if _, err := result.ParseObjective(o); err != nil {
			w.add("--slo: %v", err)
		}
		p.slo = append(p.slo, strings.TrimSpace(o))
	}
	switch f.latency {
	case latencyIntended, latencyOp, latencyBoth, latencyCorrected:
	default:
		w.add("--latency %q is none of intended, op, both, corrected", f.latency)
	}
	if err := w.err(""); err != nil {
		return nil, err
	}
	p.latency = f.latency
	p.seed = record.Seed(rand.Uint32())
	if f.seed != "" {
		p.seed, _ = record.ParseSeed(f.seed) // checked above
	}
	p.run.Seed = uint64(p.seed)
	if err := p.run.Validate(); err != nil {
		return nil, usageError(fmt.Errorf("load: %w", err), "")
	}
	return p, p.describe(f, fl.Changed)
}

// properties reads the workload and what -P and -p say.
func (p *loadPlan) properties(f *loadFlags) error {
	p.props, p.given = kv.Properties{}, kv.Properties{}
	if f.workload != "" {
		builtin, ok := ycsb.Workload(f.workload)
		if ok {
			p.props.Merge(builtin)
		} else if err := p.workloadFile(f.workload); err != nil {
			return err
		}
	}
	for _, name := range f.files {
		from, err := kv.ReadProperties(name)
		if err != nil {
			return usageError(fmt.Errorf("-P: %w", err), "")
		}
		p.given.Merge(from)
	}
	for _, a := range f.props {
		if err := p.given.Set(a); err != nil {
			return usageError(fmt.Errorf("-p: %w", err), "")
		}
	}
	p.props.Merge(p.given)
	return nil
}

// workloadFile reads a workload that is not built in. Those of YCSB are recognised
// by their path too.
func (p *loadPlan) workloadFile(name string) error {
	from, err := kv.ReadProperties(name)
	if err != nil {
		hint := "built in are " + strings.Join(ycsb.Names(), ", ")
		if base := filepath.Base(name); errors.Is(err, os.ErrNotExist) && strings.HasPrefix(base, "workload") && len(base) == len("workload")+1 {
			hint = "YCSB's is built in: --workload " + base[len("workload"):]
		}
		if errors.Is(err, os.ErrNotExist) {
			err = fmt.Errorf("there is no workload and no file %q", name)
		}
		return usageError(fmt.Errorf("--workload: %w", err), hint)
	}
	p.given.Merge(from)
	return nil
}

// hideSecrets remembers what no error may show.
func (p *loadPlan) hideSecrets() {
	var pairs []string
	for name, value := range p.props {
		secret := slices.ContainsFunc(p.binding.Properties, func(x kv.Property) bool { return x.Secret && x.Name == name })
		if secret || load.Redact(name, value) == load.Masked {
			pairs = append(pairs, "secret="+value) // newSecrets goes by names of its own
		}
	}
	p.secretVals = session.NewRedactor(pairs...)
}

// shown is what may be shown and recorded of the properties that were given.
func (p *loadPlan) shown() map[string]string {
	out := p.given.Redacted()
	for _, x := range p.binding.Properties {
		if _, ok := out[x.Name]; ok && x.Secret {
			out[x.Name] = load.Masked
		}
	}
	return out
}

// mask takes secrets out of a text for people.
func (p *loadPlan) mask(text string) string { return load.Redact("", p.secretVals.Mask(text)) }

// fromProperties takes what YCSB's own client would from properties, where no flag
// says it: threadcount, target, operationcount, maxexecutiontime and the like.
func (f *loadFlags) fromProperties(fl *pflag.FlagSet, given kv.Properties, w *wrongs) {
	g := given.Getter()
	if n := g.Int("threadcount", 0); n != 0 && !fl.Changed("workers") {
		f.workers = strconv.FormatInt(n, 10)
	}
	if x := g.Float("target", 0); x > 0 && f.rate == "" && f.steps == "" && f.replay == "" {
		f.rate = strconv.FormatFloat(x, 'f', -1, 64)
	}
	if !fl.Changed("duration") && !fl.Changed("operations") {
		n, s := g.Int("operationcount", 0), g.Int("maxexecutiontime", 0)
		if n > 0 && fl.Lookup("operations") != nil {
			f.operations, f.duration = n, 0
		}
		if s > 0 {
			f.duration = time.Duration(s) * time.Second
		}
	} else if fl.Changed("operations") && !fl.Changed("duration") {
		f.duration = 0
	}
	if n := g.Int("recordcount", f.records); n < 1 {
		g.Fail("recordcount", "must be above 0")
	} else if !fl.Changed("records") {
		f.records = n
	}
	if s := g.Int("status.interval", 0); s > 0 && !fl.Changed("interval") {
		f.interval = time.Duration(s) * time.Second
	}
	if m := g.OneOf("measurement.interval", "", latencyOp, latencyIntended, latencyBoth); m != "" && !fl.Changed("latency") {
		f.latency = m
	}
	if g.Has("dotransactions") && !g.Bool("dotransactions", true) {
		g.Fail("dotransactions", "tare load always runs what it loaded; leave it out")
	}
	w.addError(g.Err())
}

func (f *loadFlags) checkNumbers(w *wrongs) {
	for _, d := range [...]struct {
		name  string
		v     time.Duration
		least time.Duration
	}{{"ramp", f.ramp, 0}, {"warmup", f.warmup, 0}, {"duration", f.duration, 0}, {"op-timeout", f.opTimeout, 0}, {"drain", f.drain, 0}, {"interval", f.interval, time.Millisecond}} {
		if d.v < d.least {
			w.add("--%s %s is less than %s", d.name, d.v, d.least)
		}
	}
	for _, n := range [...]struct {
		name  string
		v     int64
		least int64
	}{{"records", f.records, 1}, {"operations", f.operations, 0}, {"max-outstanding", int64(f.maxOutstanding), 1}, {"max-errors", f.maxErrors, 0}} {
		if n.v < n.least {
			w.add("--%s %d is less than %d", n.name, n.v, n.least)
		}
	}
	if f.dir != "" {
		if st, err := os.Stat(f.dir); err != nil {
			if errors.Is(err, os.ErrNotExist) {
				err = fmt.Errorf("there is no directory %s: make it first", f.dir)
			}
			w.add("--dir: %v", err)
		} else if !st.IsDir() {
			w.add("--dir %s is not a directory", f.dir)
		}
	}
}

// configure makes the configuration of the run's phase.
func (p *loadPlan) configure(f *loadFlags, set func(string) bool, w *wrongs) {
	c := &p.run
	c.Duration, c.Operations = f.duration, uint64(max(f.operations, 0))
	var err error
	if c.Schedule, err = f.schedule(f.duration); err != nil {
		w.addError(err)
		return
	}
	if d := lengthOf(c.Schedule); d > 0 && !set("duration") && c.Operations == 0 {
		c.Duration = d
	}
	if c.Duration == 0 && c.Operations == 0 {
		w.add("--duration 0s without --operations: the run has no end")
	}
	closed := c.Schedule.String() == load.Schedule{}.String()
	p.configureWorkers(f, closed, w)
	w.addError(parseOnLate(f.onLate, c))
	if closed && c.OnLate != load.LateCatchUp {
		w.add("--on-late %s: nothing is late in a closed loop; give a --rate", f.onLate)
	}
	switch c.Pace = load.Pace(f.pace); c.Pace {
	case load.PaceHybrid, load.PaceSleep, load.PaceSpin:
	default:
		w.add("--pace %q is none of hybrid, sleep, spin", f.pace)
	}
	c.Drain, c.Interval, c.MaxErrors, p.warmup = f.drain, f.interval, f.maxErrors, f.warmup
}

func (p *loadPlan) configureWorkers(f *loadFlags, closed bool, w *wrongs) {
	c := &p.run
	c.Workers = 1
	switch {
	case f.workers == "" && closed:
	case f.workers == "" || f.workers == "auto":
		if closed {
			w.add("--workers auto needs a --rate: in a closed loop no operation is ever due")
		}
		c.Auto, c.MaxOutstanding = true, f.maxOutstanding
	default:
		n, err := strconv.Atoi(f.workers)
		if err != nil || n < 1 || n > 1e6 {
			w.add("--workers %q is neither auto nor a number from 1 to 1000000", f.workers)
			return
		}
		c.Workers = n
	}
}

// most is how many workers there may be.
func (p *loadPlan) most() int {
	if p.run.Auto {
		return max(p.run.MaxOutstanding, p.run.Workers)
	}
	return p.run.Workers
}

// loaders is how many workers insert the records.
func (p *loadPlan) loaders() int {
	if p.run.Auto {
		return min(max(4, 2*runtime.GOMAXPROCS(0)), p.most())
	}
	return p.run.Workers
}

// describe fills in the workload and what the binding is opened with.
func (p *loadPlan) describe(f *loadFlags, set func(string) bool) error {
	p.settings = kv.Settings{
		Props: p.props, URL: p.url, Dir: f.dir, Workers: max(p.most(), p.loaders()), OpTimeout: f.opTimeout, Seed: uint64(p.seed),
	}
	if p.binding.OpenTarget != nil {
		var w wrongs
		for _, name := range []string{"workload", "records", "no-load"} {
			if set(name) {
				w.add("--%s: %s is no key-value store and takes no workload", name, p.binding.Name)
			}
		}
		return w.err("tare load bindings " + p.binding.Name)
	}
	if f.workload == "" && len(p.props) == 0 || f.workload == "" && !hasProportions(p.props) {
		return usageError(errors.New("which workload?"), "--workload a … f, or a file of properties; tare load bindings workload")
	}
	props := kv.Properties{}
	props.Merge(p.props)
	props["recordcount"] = strconv.FormatInt(f.records, 10)
	if !p.given.Getter().Has("operationcount") {
		props["operationcount"] = strconv.FormatInt(p.expected(), 10)
	}
	var err error
	if p.workload, err = ycsb.ParseConfig(props); err != nil {
		return usageError(fmt.Errorf("workload: %w", err), "tare load bindings workload")
	}
	p.workload.Seed = uint64(p.seed)
	p.settings.Table, p.settings.Fields, p.settings.FieldName = p.workload.Table, p.workload.FieldCount, p.workload.FieldName
	return p.fits(env.Describe())
}

func hasProportions(props kv.Properties) bool {
	for name := range props {
		if strings.HasSuffix(name, "proportion") {
			return true
		}
	}
	return false
}

// expected is about how many operations there will be, warm-up included, or 0:
// the workloads' law of records reckons with those that are inserted.
func (p *loadPlan) expected() int64 {
	n := due(warmupSchedule(p.run.Schedule), p.warmup)
	if p.run.Operations > 0 {
		return n + int64(p.run.Operations)
	}
	return n + due(p.run.Schedule, p.run.Duration)
}
