// Command aa compares a code with itself, again and again, beside processes that use all of a processor, and
// prints how often tare calls it different, and how often it finds a change of 5 %:
//
//	go -C lab run ./aa -runs 20 -hogs 2 -dir /tmp/aa-busy
//	go -C lab run ./aa -runs 20 -hogs 0 -dir /tmp/aa-quiet
//
// Each run is one tare bench with its default settings: six benchmarks of the standard library, each built twice, with
// linker flags that differ and change nothing. For the change of 5 %, all times of the second side are multiplied by
// 1.05, and the record is judged again: noise, loss and warnings are those of the machine.
//
// It also prints how often the interval for another run, from the runs before, held the next run's median.
//
// Records stay in the directory. With -runs 0 those that are there are judged alone, and nothing is measured; with
// -test u by the U test, as benchstat does.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/tarebench/tare/record"
)

// config holds the flags.
type config struct {
	runs, hogs int
	dir, tare  string
	test       string
}

func parse(args []string) (config, error) {
	var c config
	fl := flag.NewFlagSet("aa", flag.ContinueOnError)
	fl.IntVar(&c.runs, "runs", 20, "comparisons of each benchmark with itself; 0: judge the records that are there")
	fl.IntVar(&c.hogs, "hogs", 2, "processes beside it that use a processor each")
	fl.StringVar(&c.dir, "dir", "aa", "`directory` for the records")
	fl.StringVar(&c.tare, "tare", "tare", "the `command`")
	fl.StringVar(&c.test, "test", record.TestSavage, "how records are judged, as --test of tare bench")
	err := fl.Parse(args)
	if err == nil && (fl.NArg() > 0 || c.runs < 0 || c.hogs < 0) {
		err = fmt.Errorf("aa: %q: want no arguments, and -runs and -hogs of at least 0", args)
		fmt.Fprintln(fl.Output(), err)
	}
	return c, err
}

func main() {
	c, err := parse(os.Args[1:])
	if err == flag.ErrHelp {
		return
	}
	if err != nil { // parse has printed the error
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, c); err != nil {
		fmt.Fprintln(os.Stderr, "aa:", err)
		os.Exit(1)
	}
}

// run measures, and then judges what was measured, also where measuring ended early.
func run(ctx context.Context, c config) error {
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return err
	}
	measured := measure(ctx, c)
	t, err := judgeAll(c.dir, c.test)
	if err != nil {
		return err
	}
	t.print(os.Stdout)
	return measured
}
