package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/cli/forge"
	"github.com/tarebench/tare/internal/measure/ci"
	"github.com/tarebench/tare/internal/show/subjects/citext"
)

const ciCommentLong = `tare ci comment posts a summary of tare ci on a pull request. There is one comment of each
--comment: a later summary replaces it.

The token is that of the variable GITHUB_TOKEN. It needs the permission to write pull
requests (pull-requests: write). The forge is GITHUB_API_URL, https://api.github.com if
that is not set. --repo is GITHUB_REPOSITORY and --pr that of the event
(GITHUB_EVENT_PATH), if they are not given. After a workflow_run the pull request is the
open one whose last commit was measured.

A comment that cannot be posted is a warning, and the exit code is 0: what was measured
counts, and a workflow for a fork's pull request has a token that may not comment.`

// ciCommentFlags are the flags of tare ci comment as they are typed.
type ciCommentFlags struct {
	summary, repo, name string
	pr                  int
}

func newCIComment(s streams) *cobra.Command {
	f := &ciCommentFlags{}
	return verb{
		use:     "comment --summary FILE [flags]",
		short:   "Post the summary on the pull request, or replace the one that is there",
		long:    ciCommentLong,
		example: "  tare ci comment --summary tare-ci/summary.md\n  tare ci comment --summary summary.md --repo owner/name --pr 17",
		args:    noArguments,
		register: func(fl *pflag.FlagSet) {
			fl.StringVar(&f.summary, "summary", "", "the `file` to post, Markdown")
			fl.StringVar(&f.repo, "repo", "", "the repository, `owner/name` (default $GITHUB_REPOSITORY)")
			fl.IntVar(&f.pr, "pr", 0, "the `number` of the pull request (default: that of the event)")
			fl.StringVar(&f.name, "comment", "tare", "the comment with this `name` is replaced")
		},
		run: func(cmd *cobra.Command, _ []string) error { return f.run(s) },
	}.command()
}

func (f *ciCommentFlags) run(s streams) error {
	if f.summary == "" {
		return usageError(errors.New("comment needs --summary FILE"), "tare ci writes tare-ci/summary.md")
	}
	if err := forge.CheckName(f.name); err != nil {
		return usageError(fmt.Errorf("--comment: %w", err), "")
	}
	text, err := f.text(s)
	if err != nil {
		return err
	}
	address, err := f.post(text)
	if err != nil {
		exit.Message(s.err, "warning", "no comment was posted: "+err.Error())
		if x := (*forge.StatusError)(nil); errors.As(err, &x) && x.Status == 403 {
			exit.Message(s.err, "hint", "the token may not write: give the job pull-requests: write; for pull requests of forks use a second workflow, see docs/ci.md")
		}
		return nil
	}
	_, err = fmt.Fprintln(s.out, address)
	return err
}

// text reads the summary, which may come from others: it is bounded, and cut to what a comment takes.
func (f *ciCommentFlags) text(s streams) (string, error) {
	in, err := input.Open(f.summary, s.in)
	if err != nil {
		return "", err
	}
	defer in.Close()
	b := make([]byte, 0, citext.MaxComment)
	buf := make([]byte, 32<<10)
	for len(b) <= citext.MaxStepSummary {
		n, err := in.Read(buf)
		b = append(b, buf[:n]...)
		if err != nil {
			break
		}
	}
	if text := citext.Comment(string(b), citext.MaxComment); text != "" {
		return text, nil
	}
	return "", failed(fmt.Errorf("%s is no summary of tare ci", f.summary), "")
}

// post posts the text where the flags, or the variables of the forge, say.
func (f *ciCommentFlags) post(text string) (string, error) {
	token := os.Getenv("GITHUB_TOKEN")
	if token == "" {
		return "", errors.New("GITHUB_TOKEN is not set")
	}
	c := &forge.Client{API: "https://api.github.com", Token: token, Repo: f.repo}
	if api := os.Getenv("GITHUB_API_URL"); api != "" {
		c.API = api
	}
	if c.Repo == "" {
		c.Repo = os.Getenv("GITHUB_REPOSITORY")
	}
	if err := c.Validate(); err != nil {
		return "", err
	}
	pr, err := f.number(c)
	if err != nil {
		return "", err
	}
	return c.Put(context.Background(), pr, f.name, text, func(limit int) string { return citext.Cut(text, limit) })
}

// number returns the pull request: that of the flag, or of the event.
func (f *ciCommentFlags) number(c *forge.Client) (int, error) {
	if f.pr > 0 {
		return f.pr, nil
	}
	e, err := ci.ReadEvent(os.Getenv("GITHUB_EVENT_PATH"))
	switch {
	case err != nil:
		return 0, err
	case e != nil && e.PullRequest != nil && e.PullRequest.Number > 0:
		return e.PullRequest.Number, nil
	case e != nil && e.WorkflowRun != nil:
		w := e.WorkflowRun
		if len(w.PullRequests) == 1 {
			return w.PullRequests[0].Number, nil
		}
		return c.PullOf(context.Background(), w.HeadRepository.Owner.Login, w.HeadBranch, w.HeadSHA)
	}
	return 0, errors.New("the event has no pull request; give --pr N")
}
