package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/session"
)

// watchFlags are those of every verb that watches a program: trace, sample, contrast.
type watchFlags struct {
	env      []string
	tags     string
	length   time.Duration
	noWait   bool
	progress string
	show     showFlags
	out      outlet
	remote   bool // the program is not ours: nobody starts or ends it
}

func (f *watchFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.tags, "tags", "", "build tags of the package, comma-separated")
	fl.StringArrayVar(&f.env, "env", nil, "set a variable for the program: `K=V`, repeatable")
	fl.DurationVar(&f.length, "duration", 0, "end the program after this wall time, as Ctrl-C does (default: it ends by itself)")
	deprecateFlag(fl, "length", "duration")
	fl.BoolVar(&f.noWait, "no-wait", false, "refuse to run, instead of waiting, while another tare measures")
	fl.StringVar(&f.progress, "progress", "auto", "auto, plain or none")
	f.show.several = true
	f.show.register(fl, true, withoutListing()...)
	fl.Lookup("output").Usage = "write records to `FILE` (.jsonl), or what its suffix names: " + strings.Join(f.out.known(), " ") + "; repeatable"
	fl.Lookup("verbose").Usage = "more columns and longer lists"
}

// ofRun are the flags that a record shown again has no use for.
var ofRun = []string{"tags", "env", "duration", "no-wait"}

// check finds mistakes in the flags, before anything is built.
func (f *watchFlags) check() error {
	var errs []error
	for _, kv := range f.env {
		if k, _, ok := strings.Cut(kv, "="); !ok || k == "" {
			errs = append(errs, fmt.Errorf("--env %q is not K=V", session.MaskWord(kv)))
		}
	}
	if f.length < 0 {
		errs = append(errs, fmt.Errorf("--duration %s is less than 0", f.length))
	}
	if err := errors.Join(errs...); err != nil {
		return usageError(err, "")
	}
	return f.out.check(&f.show)
}
