package cli_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tarebench/tare/record"
)

// patience bounds every wait: longer than any machine needs, shorter than the
// timeout of go test.
const patience = 2 * time.Minute

type command = func(ts *testscript.TestScript, neg bool, args []string)

// scriptCommands are what the scripts need beyond testscript's own:
//
//	exits CODE PROGRAM ARG…   run a program that must exit with this code
//	bench CODE ARG…           exits CODE tare bench, with as little work as can be unless ARGs ask for more
//	refused CODE ARG…         tare must exit with CODE and say why in one error line, with nothing on stdout
//	waitfor FILE N REGEXP     wait until so many lines of a file match
//	signal NAME               HUP, INT, TERM or KILL to the one background command
//	exited CODE               after wait: the command that was signalled had this code, -1 if it was killed
//	get CODE FILE PATH OUT [TOKEN]  ask the live page whose address FILE has, and keep the answer, which must have this status
//	gone FILE                 wait until the live page whose address FILE has is gone
//	results FILE KEY…         print these keys of each result of a summary in JSON, a line each
//	forks FILE                print "round case state" of each timing fork of a record, in order
//	sums FILE                 each list of a listing in JSON adds up to all samples, and there are some
//	complete FILE ROUNDS      each case has one good fork in each of so many rounds, unless it failed before; nothing is there twice
func scriptCommands() map[string]command {
	return map[string]command{
		"exits":    positive(cmdExits),
		"bench":    positive(cmdBench),
		"refused":  positive(cmdRefused),
		"waitfor":  positive(cmdWaitfor),
		"signal":   positive(cmdSignal),
		"exited":   positive(cmdExited),
		"results":  positive(cmdResults),
		"forks":    positive(cmdForks),
		"complete": positive(cmdComplete),
		"sums":     positive(cmdSums),
		"get":      positive(cmdGet),
		"gone":     positive(cmdGone),
	}
}

// positive is a command that cannot be negated.
func positive(f func(ts *testscript.TestScript, args []string)) command {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg {
			ts.Fatalf("unsupported: !")
		}
		f(ts, args)
	}
}

func need(ts *testscript.TestScript, args []string, n int, usage string) {
	if len(args) < n {
		ts.Fatalf("usage: %s", usage)
	}
}

func cmdExits(ts *testscript.TestScript, args []string) {
	need(ts, args, 2, "exits CODE PROGRAM ARG…")
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%s: %v", args[1], err)
	}
	if want := number(ts, args[0]); code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// cmdBench measures as little as it can, and without repeats: how many there are depends on who has the processors.
func cmdBench(ts *testscript.TestScript, args []string) {
	need(ts, args, 1, "bench CODE ARG…")
	least := []string{args[0], "tare", "bench", "--no-repeat"}
	for _, flag := range []string{"--forks=3", "--warmup=0", "--iterations=1", "--time=1ms"} {
		name, _, _ := strings.Cut(flag, "=")
		if !slices.ContainsFunc(args, func(a string) bool { return a == name || strings.HasPrefix(a, name+"=") }) {
			least = append(least, flag)
		}
	}
	cmdExits(ts, append(least, args[1:]...))
}

func cmdRefused(ts *testscript.TestScript, args []string) {
	need(ts, args, 1, "refused CODE ARG…")
	cmdExits(ts, append([]string{args[0], "tare"}, args[1:]...))
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("it printed a result: %q", out)
	}
	said := ts.ReadFile("stderr")
	for what, count := range map[string]int{"tare: error: ": 1, "tare: hint: ": -1, "goroutine ": 0, "panic": 0} {
		n := strings.Count(said, what)
		if count >= 0 && n != count || n > 1 {
			ts.Fatalf("%d times %q on stderr", n, what)
		}
	}
	if strings.ContainsAny(said, "\t\r") {
		ts.Fatalf("not one line each on stderr: %q", said)
	}
}

func cmdWaitfor(ts *testscript.TestScript, args []string) {
	need(ts, args, 3, "waitfor FILE N REGEXP")
	file, n, re := ts.MkAbs(args[0]), number(ts, args[1]), regexp.MustCompile("(?m)"+args[2])
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(file)
		if err == nil && len(re.FindAll(text, n)) == n {
			return
		}
	}
	ts.Fatalf("no %d lines that match %s within %s", n, re, patience)
}

var livePage = regexp.MustCompile(`(?m)^tare: live page: http://(.*)/(?:#owner=[A-Z2-7]+)?$`)

// liveAddress returns the address that a command has printed.
func liveAddress(ts *testscript.TestScript, file string) string {
	m := livePage.FindStringSubmatch(ts.ReadFile(file))
	if m == nil {
		ts.Fatalf("%s has no address of a live page", file)
	}
	return m[1]
}

func cmdGet(ts *testscript.TestScript, args []string) {
	need(ts, args, 4, "get CODE FILE PATH OUT [TOKEN]")
	req, err := http.NewRequest("GET", "http://"+liveAddress(ts, args[1])+args[2], nil)
	ts.Check(err)
	if len(args) > 4 {
		req.SetBasicAuth("anybody", args[4])
	}
	r, err := http.DefaultTransport.RoundTrip(req)
	ts.Check(err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	ts.Check(err)
	if want := number(ts, args[0]); r.StatusCode != want {
		ts.Fatalf("%s: %s, want %d\n%s", args[2], r.Status, want, text)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[3]), text, 0o666))
}

func cmdGone(ts *testscript.TestScript, args []string) {
	need(ts, args, 1, "gone FILE")
	address := liveAddress(ts, args[0])
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		c.Close()
	}
	ts.Fatalf("%s is still there", address)
}

// signalled is the command of a script that got a signal.
type signalled struct{ *exec.Cmd }

func cmdSignal(ts *testscript.TestScript, args []string) {
	need(ts, args, 1, "signal NAME")
	sig, ok := map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}[args[0]]
	running := ts.BackgroundCmds()
	if !ok || len(running) != 1 {
		ts.Fatalf("signal %s to %d commands", args[0], len(running))
	}
	ts.Value(signalled{}).(*signalled).Cmd = running[0]
	ts.Check(running[0].Process.Signal(sig))
}

func cmdExited(ts *testscript.TestScript, args []string) {
	need(ts, args, 1, "exited CODE")
	cmd := ts.Value(signalled{}).(*signalled).Cmd
	if cmd == nil || cmd.ProcessState == nil {
		ts.Fatalf("no command was signalled and waited for")
	}
	if got, want := cmd.ProcessState.ExitCode(), number(ts, args[0]); got != want {
		ts.Fatalf("exit code %d (%s), want %d", got, cmd.ProcessState, want)
	}
}

// cmdResults prints what is absent as "-", lists with commas. A key may be a
// path, with colons: metrics:B/op:median.
func cmdResults(ts *testscript.TestScript, args []string) {
	need(ts, args, 2, "results FILE KEY…")
	var sum struct{ Results []map[string]any }
	in := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	in.UseNumber() // as they are written
	if err := in.Decode(&sum); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	for _, r := range sum.Results {
		var row []string
		for _, key := range args[1:] {
			row = append(row, word(at(r, strings.Split(key, ":"))))
		}
		fmt.Fprintln(ts.Stdout(), strings.Join(row, " "))
	}
}

func at(v any, path []string) any {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

func word(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = word(v[i])
		}
		return strings.Join(words, ",")
	case map[string]any:
		return strings.Join(slices.Sorted(maps.Keys(v)), ",")
	}
	return fmt.Sprint(v)
}

func cmdForks(ts *testscript.TestScript, args []string) {
	need(ts, args, 1, "forks FILE")
	names := map[int]string{}
	for _, l := range lines(ts, args[0]) {
		switch l := l.(type) {
		case *record.Case:
			names[l.ID] = l.Name
		case *record.Fork:
			if l.Purpose == record.PurposeTiming {
				fmt.Fprintln(ts.Stdout(), l.Round, names[l.Case], l.State)
			}
		}
	}
}

func cmdComplete(ts *testscript.TestScript, args []string) {
	need(ts, args, 2, "complete FILE ROUNDS")
	type key struct{ caseID, round int }
	rounds, good, ids := number(ts, args[1]), map[key]int{}, map[int]bool{}
	cases, samples := map[int]bool{}, map[[2]int]bool{}
	for _, l := range lines(ts, args[0]) {
		switch l := l.(type) {
		case *record.Case:
			cases[l.ID] = true
		case *record.Sample:
			if at := [2]int{l.Fork, l.Iter}; samples[at] {
				ts.Fatalf("two samples are of fork %d, iteration %d", l.Fork, l.Iter)
			} else {
				samples[at] = true
			}
		case *record.Fork:
			if ids[l.ID] {
				ts.Fatalf("two forks have the ID %d", l.ID)
			}
			ids[l.ID] = true
			switch {
			case l.Purpose != record.PurposeTiming:
				delete(cases, l.Case) // it had failed before
			case l.State == record.StateOK:
				good[key{l.Case, l.Round}]++
			}
		}
	}
	for c := range cases {
		for r := 1; r <= rounds; r++ {
			if n := good[key{c, r}]; n != 1 {
				ts.Fatalf("case %d has %d good forks in round %d", c, n, r)
			}
		}
	}
	if len(good) != len(cases)*rounds || len(cases) == 0 {
		ts.Fatalf("%d good forks for %d cases in %d rounds", len(good), len(cases), rounds)
	}
}

// lines reads a whole record; a line that is cut off ends it.
func lines(ts *testscript.TestScript, file string) []record.Line {
	var out []record.Line
	r := record.NewReader(strings.NewReader(ts.ReadFile(file)), filepath.Base(file))
	for {
		l, err := r.Next()
		if cut := (*record.TruncatedError)(nil); err == io.EOF || errors.As(err, &cut) {
			return out
		}
		ts.Check(err)
		out = append(out, l)
	}
}

func number(ts *testscript.TestScript, s string) int {
	n, err := strconv.Atoi(s)
	ts.Check(err)
	return n
}
