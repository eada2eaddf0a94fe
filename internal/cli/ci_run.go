package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/cli/teamfile"
	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/measure/ci"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/citext"
	"github.com/tarebench/tare/internal/show/subjects/selftest"
)

// Files in --report-dir.
const (
	ciRecord  = "record.jsonl"
	ciSummary = "summary.md"
	ciReport  = "report.html"
	ciJUnit   = "junit.xml"
)

// ciRun is one comparison in continuous integration.
type ciRun struct {
	streams
	*ciFlags
	repo     *build.Repository
	summary  citext.Summary
	withheld ci.Withheld
}

func (f *ciFlags) run(s streams, cmd *cobra.Command, args []string) error {
	r := &ciRun{streams: s, ciFlags: f}
	if f.selftest < 0 {
		return usageError(fmt.Errorf("--selftest-for %s is below 0", f.selftest), "")
	}
	if err := r.findBase(cmd); err != nil {
		return err
	}
	if f.bench.team.show {
		f.bench.job.Given = flags.GivenTo(cmd.Flags())
		f.bench.job.Complete()
		return f.bench.team.print(s, cmd.Flags())
	}
	f.bench.job.Sides.Against = []string{r.summary.Base}
	if _, err := f.bench.plan(cmd, args); err != nil { // before anything is replaced
		return err
	}
	if err := r.withhold(); err != nil {
		return err
	}
	if err := r.openDir(); err != nil {
		return usageError(fmt.Errorf("--report-dir: %w", err), "")
	}
	exit.Message(s.err, "ci", fmt.Sprintf("base %.7s: %s", r.summary.Base, r.summary.Why))
	for _, name := range []string{ciRecord, ciReport, ciJUnit} {
		f.bench.output.files = append(f.bench.output.files, filepath.Join(f.dir, name))
	}
	b := newBenchRun(s, &f.bench)
	b.config.Withheld, b.config.WithheldGo = r.withheld.Forks, r.withheld.Go
	b.config.Outputs = []string{filepath.Join(f.dir, ".gitignore"), filepath.Join(f.dir, ciSummary)}
	f.bench.output.ownDir = f.dir
	var seen *result.Result
	b.after = func(res *result.Result) { seen = res }
	ended := b.run(cmd, args)
	return r.conclude(seen, ended)
}

// openDir makes the directory, which git is to ignore: the working tree is measured, and would be called dirty. It
// removes what an earlier run has left there: a summary of another run must not be taken for this one's. A directory
// that holds other things is refused.
func (r *ciRun) openDir() error {
	if _, err := tempdir.MkdirAll(r.dir, 0o777); err != nil {
		return err
	}
	list, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	mark := filepath.Join(r.dir, ".gitignore")
	if len(list) == 0 {
		return replaceText(mark, ciMark)
	}
	if text, err := readMark(mark); err != nil || text != ciMark {
		return fmt.Errorf("%s holds other files, which would be replaced: name a new directory", r.dir)
	}
	for _, name := range []string{ciRecord, ciSummary, ciReport, ciJUnit} {
		if err := os.Remove(filepath.Join(r.dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// ciMark is the content of the directory's .gitignore.
const ciMark = "*\n"

// readMark returns the beginning of a regular file. It does not wait for the other end of a pipe, and follows no link.
func readMark(path string) (string, error) {
	if st, err := os.Lstat(path); err != nil || !st.Mode().IsRegular() {
		return "", cmp.Or(err, os.ErrInvalid)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, int64(len(ciMark))+1))
	return string(text), err
}

// replaceText writes a file of the directory.
func replaceText(path, text string) error {
	return session.ReplaceName(path, func(f *os.File) error { _, err := f.WriteString(text); return err })
}

// findBase finds the base, and gives flags that were not given the values of the team's file as it is there.
func (r *ciRun) findBase(cmd *cobra.Command) error {
	ctx := context.Background()
	repo, err := build.FindRepository(ctx, ".")
	if err != nil {
		return usageError(err, "tare ci compares two revisions of a repository")
	}
	r.repo = repo
	base, err := r.baseOf(ctx)
	if err != nil {
		return err
	}
	r.summary.Base, r.summary.Why = base.Commit, base.Why
	r.summary.Head, _ = build.StateOf(ctx, ".")
	return r.bench.team.apply(cmd, nil)
}

// baseOf finds the base, and reads the team's file there. A base that this file names takes the place of the default
// branch, and its own file counts then. What the change's file says does not count: it could name a base that has the
// change, too.
func (r *ciRun) baseOf(ctx context.Context) (*ci.Base, error) {
	fallback, first := "", ""
	for {
		base, err := ci.FindBase(ctx, r.repo, ci.Request{Given: r.base, Fallback: fallback, Env: os.Getenv, Note: func(format string, args ...any) {
			exit.Message(r.err, "ci", fmt.Sprintf(format, args...))
		}})
		if err != nil || r.bench.team.none || base.Commit == first {
			return base, err
		}
		if r.bench.team.file, err = r.teamFileOf(ctx, base.Commit); err != nil {
			return nil, err
		}
		named := r.bench.team.file.Tables[teamfile.TableCI].Values["against"]
		if fallback != "" || named == "" || r.base != "" {
			return base, nil
		}
		fallback, first = named, base.Commit
	}
}

// moduleOf returns the directory of the module around the working directory as it is in a commit, relative to the
// repository; "" if it has none there. A change that adds or removes a go.mod does not choose another file of the
// team by it.
func (r *ciRun) moduleOf(ctx context.Context, commit string) string {
	dir, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(r.repo.Root(), dir)
	if resolved, e := filepath.EvalSymlinks(dir); err == nil && e == nil && !filepath.IsLocal(rel) {
		rel, err = filepath.Rel(r.repo.Root(), resolved)
	}
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	for ; ; rel = filepath.Dir(rel) {
		if _, err := r.repo.Git(ctx, "cat-file", "-e", commit+":"+filepath.ToSlash(filepath.Join(rel, "go.mod"))); err == nil {
			return rel
		}
		if rel == "." {
			return ""
		}
	}
}

// teamFileOf returns the team's file as it is in a commit; an empty one if it has none.
func (r *ciRun) teamFileOf(ctx context.Context, commit string) (*teamfile.File, error) {
	rel := r.moduleOf(ctx, commit)
	if rel == "" {
		return &teamfile.File{}, nil // go.mod lies above the repository
	}
	root := filepath.Join(r.repo.Root(), rel)
	name := filepath.ToSlash(filepath.Join(rel, teamfile.Name))
	text, err := r.repo.Git(ctx, "show", commit+":"+name)
	if err != nil {
		if _, err := os.Stat(filepath.Join(root, teamfile.Name)); err == nil {
			r.note(teamfile.Name + " is new in this change: it counts once it is on the base")
		}
		return &teamfile.File{}, nil
	}
	if now, err := os.ReadFile(filepath.Join(root, teamfile.Name)); err != nil || string(bytes.TrimRight(now, "\n")) != text {
		r.note(teamfile.Name + " differs from that of the base: that of the base counts")
	}
	f, err := teamfile.Parse(text, fmt.Sprintf("%s of %.7s", name, commit))
	if err == nil {
		f.Dir = root
	}
	return f, err
}

// withhold finds out which variables the measured code does not get. What the base's file passes counts, and not that
// of the change.
func (r *ciRun) withhold() error {
	var pass []string
	if f := r.bench.team.file; f != nil {
		if err := ci.CheckPass(f.Env); err != nil {
			return usageError(fmt.Errorf("%s: [ci] %w", f.Path, err), `env = ["NAME", "PREFIX_*"]`)
		}
		pass = f.Env
	}
	r.withheld = ci.Withhold(os.Environ(), pass)
	return nil
}

// noteWithheld says what was withheld if a benchmark has failed, which may be why.
func (r *ciRun) noteWithheld(res *result.Result) {
	note := r.withheld.Note()
	if res == nil || note == "" {
		return
	}
	if slices.ContainsFunc(res.Results, func(b result.Benchmark) bool { return b.Failed != "" || b.ForksFailed > 0 }) {
		r.note(note)
	}
}

// note says something on standard error and in the summary.
func (r *ciRun) note(text string) {
	exit.Message(r.err, "ci", text)
	r.summary.Notes = append(r.summary.Notes, text)
}

// conclude writes the results of the run to every place except standard output. ended is the error with which the
// measuring ended. A failed write is returned only if there is no other error.
func (r *ciRun) conclude(res *result.Result, ended error) error {
	r.summary.Result = res
	r.noteWithheld(res)
	if x := exit.As(ended); ended != nil && (x == nil || x.Code == exit.Failure || x.Code == exit.Misuse) {
		r.summary.Failed = "see the log of the run"
		if x == nil || !x.Printed {
			r.summary.Failed = ended.Error()
		}
	}
	written := r.write(res)
	if ended != nil {
		if written != nil {
			exit.Message(r.err, "warning", written.Error())
		}
		return ended
	}
	if written != nil {
		return failed(written, "")
	}
	return nil
}

func (r *ciRun) write(res *result.Result) error {
	if res != nil {
		var md bytes.Buffer
		rest := *res
		rest.Lost = nil // the summary has named it above
		if err := render.Write(&md, render.Markdown, &rest, render.Options{}); err != nil {
			return err
		}
		r.summary.Comparison = md.String()
		if r.selftest > 0 {
			r.selftestText()
		}
	}
	errs := []error{replaceText(filepath.Join(r.dir, ciSummary), r.summary.Markdown(citext.MaxComment))}
	return errors.Join(append(errs, r.tellGitHub(res))...)
}

// selftestText runs a self-test and keeps what it says.
func (r *ciRun) selftestText() {
	found, err := shortSelftest(r.streams, r.selftest, r.bench.progress)
	if err != nil || found == nil {
		exit.Message(r.err, "warning", fmt.Sprintf("the self-test failed: %v", err))
		return
	}
	var b bytes.Buffer
	if selftest.Summary(&b, found, render.Options{UTF8: true, Width: render.DefaultWidth}) == nil {
		r.summary.Selftest = b.String()
	}
}

// tellGitHub writes the summary of the step, its outputs, and annotations, where GitHub's variables ask for them.
func (r *ciRun) tellGitHub(res *result.Result) error {
	var errs []error
	if path := os.Getenv("GITHUB_STEP_SUMMARY"); path != "" {
		errs = append(errs, citext.AppendStepSummary(path, &r.summary))
	}
	if path := os.Getenv("GITHUB_OUTPUT"); path != "" {
		out := citext.Outputs(&r.summary)
		for _, x := range [][2]string{{"summary", ciSummary}, {"report", ciReport}, {"record", ciRecord}} {
			out = append(out, [2]string{x[0], filepath.Join(r.dir, x[1])})
		}
		errs = append(errs, out.AppendTo(path))
	}
	if os.Getenv("GITHUB_ACTIONS") == "true" && res != nil {
		where := ci.Sources{Root: r.repo.Root(), Module: teamfile.ModuleRoot(".")}
		errs = append(errs, r.log.Commands(func(w io.Writer) error { return citext.WriteCommands(w, citext.Annotations(res, where.Locate)) }))
	}
	return errors.Join(errs...)
}
