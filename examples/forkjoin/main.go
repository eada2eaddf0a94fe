// Command forkjoin runs four experiments on work that is forked and joined, and
// measures each way to do it with package usage:
//
//		go run ./examples/forkjoin
//		go run ./examples/forkjoin -only sort -sort 100000000
//		go run ./examples/forkjoin -only tree -tree 2000000 -v
//		go run ./examples/forkjoin -articles -markdown
//
//	  - sort: ints, by slices.Sort and by a merge sort on a pool of workers;
//	  - reduce: n! as one product after the other, and as one product per processor;
//	  - tree: n! as a tree of products, serial, parallel, and with products of large
//	    numbers that are themselves split among processors;
//	  - blocked: workers that wait for each other at a barrier, and how many threads
//	    that takes.
//
// They are those of a series of articles on ForkJoinPool of Java. The defaults take
// less than a second each; -v prints all figures, the threads and the workers.
// -articles takes the articles' sizes, and -markdown prints a table of the articles' figures
// and those measured here.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/tarebench/tare/usage"
)

// config is what the flags say.
type config struct {
	only               []string
	sort, reduce, tree int
	blocked            int
	seed               uint64
	verbose            bool
	articles, markdown bool
	revision           string
	out                io.Writer
	table              *table // with -markdown, otherwise nil
}

// experiments in the order in which they run.
var experiments = []struct {
	name string
	run  func(config) error
}{{"sort", sortInts}, {"reduce", reduceFactorial}, {"tree", treeFactorial}, {"blocked", blockWorkers}}

func parse(args []string, stderr io.Writer) (config, error) {
	var c config
	fl := flag.NewFlagSet("forkjoin", flag.ContinueOnError)
	fl.SetOutput(stderr)
	only := fl.String("only", "", "run only these, separated by commas: sort, reduce, tree, blocked")
	fl.IntVar(&c.sort, "sort", 2_000_000, "how many ints of 32 bits to sort")
	fl.IntVar(&c.reduce, "reduce", 20_000, "n of the n! that is reduced")
	fl.IntVar(&c.tree, "tree", 200_000, "n of the n! that is a tree")
	fl.IntVar(&c.blocked, "blocked", 64, "how many workers wait at the barrier at most")
	fl.Uint64Var(&c.seed, "seed", 1, "of the ints")
	fl.BoolVar(&c.verbose, "v", false, "print all figures, threads and workers")
	fl.BoolVar(&c.articles, "articles", false, "the sizes of the articles: sort 100000000, reduce 200000, tree 2000000; 1.2 GB, and a minute or more")
	fl.BoolVar(&c.markdown, "markdown", false, "print a table in Markdown, with the articles' figures, instead of the results")
	fl.StringVar(&c.revision, "revision", "", "revision of the sources, for that table")
	if err := fl.Parse(args); err != nil {
		return c, err
	}
	if c.articles {
		c.takeArticles(fl)
	}
	err := c.check(*only, fl.Args())
	if err != nil {
		fmt.Fprintln(stderr, "forkjoin:", err)
	}
	return c, err
}

func (c *config) check(only string, rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("takes flags only, and was given %q", rest)
	}
	if min(c.sort, c.reduce, c.tree, c.blocked) < 1 {
		return errors.New("all sizes have to be above 0")
	}
	if c.markdown && c.verbose {
		return errors.New("-markdown prints a table, which -v adds nothing to")
	}
	if c.revision != "" && !c.markdown {
		return errors.New("-revision is for the table of -markdown")
	}
	for _, e := range experiments {
		if !c.markdown || e.name != notTabled {
			c.only = append(c.only, e.name)
		}
	}
	if only == "" {
		return nil
	}
	known := c.only
	c.only = strings.Split(only, ",")
	for _, name := range c.only {
		if !slices.Contains(known, name) {
			return fmt.Errorf("-only %q: there is no such experiment; there are %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

func main() {
	c, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil { // which parse has reported
		os.Exit(2)
	}
	c.out = os.Stdout
	if err := run(c); err != nil {
		fmt.Fprintln(os.Stderr, "forkjoin:", err)
		os.Exit(1)
	}
}

func run(c config) error {
	out := c.out
	if c.markdown {
		c.out, c.table = io.Discard, newTable(c)
	}
	for _, e := range experiments {
		if !slices.Contains(c.only, e.name) {
			continue
		}
		if err := e.run(c); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	if c.table != nil {
		_, err := io.WriteString(out, c.table.String())
		return err
	}
	return nil
}

// measure runs a task on a collected heap and prints what it used.
func (c config) measure(name string, task func()) usage.Usage {
	u := usage.Config{Name: name, Collect: true, Listener: usage.ListenerFunc(c.print)}.Measure(task)
	if c.table != nil {
		c.table.results = append(c.table.results, u)
	}
	return u
}

func (c config) print(u usage.Usage) {
	if c.verbose {
		fmt.Fprintf(c.out, "%+v\n\n", u)
		return
	}
	fmt.Fprintf(c.out, "%v\n\n", u)
}

// title heads an experiment.
func (c config) title(format string, args ...any) {
	fmt.Fprintf(c.out, "== "+format+"\n\n", args...)
}

func (c config) compare(seq, par usage.Usage) {
	if c.table != nil {
		c.table.compared = append(c.table.compared, usage.Compare(seq, par))
	}
	fmt.Fprintf(c.out, "%v\n\n", usage.Compare(seq, par))
}
