package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/live"
	"github.com/tarebench/tare/internal/show/live/server"
	"github.com/tarebench/tare/internal/show/render"
)

// registerLive adds the flags of the page that shows a run while it goes on.
func registerLive(fl *pflag.FlagSet, o *live.Options) {
	fl.StringVar(&o.Address, "live", "", "serve a page that shows the run while it goes on, and figures for Prometheus at /metrics, at `HOST:PORT`; port 0 takes a free one")
	fl.StringVar(&o.Token, "live-token", "", "a `TOKEN` that the page asks for as a password, or @FILE; for addresses that others can reach, with --live-cert")
	fl.StringVar(&o.Cert, "live-cert", "", "serve the page by TLS, with the certificate in this `file` of PEM")
	fl.StringVar(&o.Key, "live-key", "", "the key of --live-cert, a `file` of PEM")
	fl.DurationVar(&o.Linger, "live-linger", 0, "keep the page for so long after the run (default: it ends with the run)")
}

// checkLive finds mistakes in these flags. plans says that nothing will be measured.
func checkLive(o *live.Options, plans bool) error {
	if plans && o.Address != "" {
		return usageError(errors.New("--live shows a run while it goes on, and nothing is measured here"), "leave it out")
	}
	return o.Check()
}

// startLive starts the page if one is asked for, and says where it is.
func startLive(w io.Writer, o live.Options, follow bool) (*live.Page, error) {
	page, err := live.Start(o, follow)
	if page != nil {
		fmt.Fprintf(w, "tare: live page: %s\n", exit.Shown(page.Address))
	}
	return page, err
}

// closeLive ends the page, after the time that it is to linger. signals may be nil.
func closeLive(w io.Writer, page *live.Page, signals *session.Signals) {
	var quit, now <-chan struct{}
	if signals != nil {
		quit, now = signals.Quit(), signals.Context().Done()
	}
	page.Finish(now)
	if page.Lost() && (signals == nil || !signals.Caught()) {
		fmt.Fprintln(w, "tare: the live page was lost: its server ended or no longer answered; the record is whole")
	}
	if d := page.Lingers(); d > 0 && (signals == nil || !signals.Caught()) {
		fmt.Fprintf(w, "tare: the live page stays for %s; Ctrl-C ends it\n", d)
	}
	page.Close(quit, now)
}

// serveLive is the process that serves the page.
func serveLive(s streams) int {
	server.Yield()
	tool := "tare " + session.Version()
	err := server.Run(s.in, s.out, server.View{
		Page: func(w io.Writer, so *result.Result) error { return render.WriteLive(w, tool, so) },
		Main: render.WriteLiveMain,
		File: writePage,
		Name: pageName,
	})
	if err != nil {
		return printError(s.err, nil, usageError(fmt.Errorf("%s: %w", live.Verb, err), "tare load --live 127.0.0.1:0"))
	}
	return exit.Done
}

// pageName returns the name of the file that a browser saves.
func pageName(recordPath string) string {
	name := strings.TrimSuffix(filepath.Base(recordPath), tempdir.PartialSuffix)
	return strings.TrimSuffix(name, ".jsonl") + ".html"
}
