package ci

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/golang/build"
)

// Request says for what a base is wanted.
type Request struct {
	Given    string                           // a revision that was typed; "": none
	Fallback string                           // a branch or revision of the team's file, where no forge names the base
	Env      func(string) string              // the environment
	Note     func(format string, args ...any) // is called with what was not as expected
}

// Base is the commit that a change is compared with.
type Base struct {
	Commit string
	Why    string // how it was found, in a few words
}

var errNoBase = errors.New("no base to compare with was found")

const hintDepth = "check out the history, too (actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0), or name the base: --against REV"

// FindBase returns the base: what was typed, else what the forge says (the first parent of GitHub's merge commit, the base
// of a pull request, GitLab's CI_MERGE_REQUEST_DIFF_BASE_SHA, the commit before a push), else the merge base with the
// fallback or the default branch, and on that branch the commit before. It fetches what a shallow clone lacks. It fails if
// there is none, or if the base is the commit that is checked out.
func FindBase(ctx context.Context, r *build.Repository, q Request) (*Base, error) {
	f := &finder{ctx: ctx, repo: r, Request: q}
	head, err := r.Git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return nil, exit.Failed(fmt.Errorf("this repository has no commit: %w", err), "")
	}
	f.head = head
	b, err := f.find()
	if err != nil {
		return nil, err
	}
	if b.Commit == f.head && q.Given == "" {
		return nil, exit.Usage(fmt.Errorf("the base (%s) is the commit that is checked out: there is no change to measure", b.Why), "name another base: --against REV")
	}
	return b, nil
}

// finder finds the base of one commit.
type finder struct {
	ctx  context.Context
	repo *build.Repository
	head string
	Request
}

func (f *finder) find() (*Base, error) {
	if f.Given != "" {
		return f.typed()
	}
	for _, try := range []func() *Base{f.github, f.gitlab, f.branches} {
		if b := try(); b != nil {
			return b, nil
		}
	}
	return nil, exit.Usage(errNoBase, hintDepth)
}

// typed returns the base that was named: a revision that is here, or that can be fetched.
func (f *finder) typed() (*Base, error) {
	if c := f.commit(f.Given); c != "" {
		return &Base{c, "--against " + f.Given}, nil
	}
	f.fetch(f.Given)
	for _, rev := range []string{f.Given, "FETCH_HEAD"} {
		if c := f.commit(rev); c != "" {
			return &Base{c, "--against " + f.Given}, nil
		}
	}
	return nil, exit.Usage(fmt.Errorf("--against %s: no such revision", f.Given), hintDepth)
}

// github returns the base of a pull request, or the commit before a push.
func (f *finder) github() *Base {
	if f.Env("GITHUB_ACTIONS") != "true" && f.Env("GITHUB_EVENT_PATH") == "" {
		return nil
	}
	e, err := ReadEvent(f.Env("GITHUB_EVENT_PATH"))
	if err != nil {
		f.Note("%v; looking at GITHUB_BASE_REF instead", err)
	}
	switch {
	case e != nil && e.PullRequest != nil && isSHA(e.PullRequest.Base.SHA):
		return f.pull(e.PullRequest)
	case e != nil && isSHA(e.Before) && strings.Trim(e.Before, "0") != "":
		if c := f.need(e.Before); c != "" {
			return &Base{c, "the commit before the push"}
		}
	}
	if ref := f.Env("GITHUB_BASE_REF"); ref != "" {
		return f.mergeBase("the merge base with "+ref, "refs/remotes/origin/"+ref, ref)
	}
	return nil
}

// pull returns the base of a pull request. What is checked out is GitHub's merge commit, whose first parent is the base as
// it is now; or the branch itself, which is compared with where it began.
func (f *finder) pull(p *PullRequest) *Base {
	if f.commit("HEAD^1") == "" {
		f.deepen(1, "")
	}
	if second := f.commit("HEAD^2"); second != "" && second == p.Head.SHA {
		return &Base{f.commit("HEAD^1"), "the first parent of the merge commit"}
	}
	if b := f.mergeBase("where the branch began", p.Base.SHA, "refs/remotes/origin/"+p.Base.Ref); b != nil {
		return b
	}
	if c := f.need(p.Base.SHA); c != "" {
		return &Base{c, "the base of the pull request"}
	}
	return nil
}

func (f *finder) gitlab() *Base {
	sha := f.Env("CI_MERGE_REQUEST_DIFF_BASE_SHA")
	if !isSHA(sha) {
		return nil
	}
	if c := f.need(sha); c != "" {
		return &Base{c, "CI_MERGE_REQUEST_DIFF_BASE_SHA"}
	}
	return nil
}

// branches returns the merge base with the fallback, or with the default branch; on that branch the commit before.
func (f *finder) branches() *Base {
	names := []string{f.Fallback}
	if f.Fallback == "" {
		names = f.defaults()
	}
	for _, name := range names {
		b := f.mergeBase("the merge base with "+strings.TrimPrefix(name, "refs/remotes/"), name, "refs/remotes/origin/"+name)
		switch {
		case b == nil:
			continue
		case b.Commit != f.head:
			return b
		}
		if f.commit("HEAD^1") == "" {
			f.deepen(1, "")
		}
		if c := f.commit("HEAD^1"); c != "" {
			return &Base{c, "the commit before, on " + strings.TrimPrefix(name, "refs/remotes/")}
		}
	}
	return nil
}

// defaults returns what the default branch may be called.
func (f *finder) defaults() (out []string) {
	if name, err := f.repo.Git(f.ctx, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"); err == nil {
		out = append(out, name)
	}
	if name := f.Env("CI_DEFAULT_BRANCH"); name != "" {
		out = append(out, "refs/remotes/origin/"+name)
	}
	return append(out, "refs/remotes/origin/main", "refs/remotes/origin/master", "main", "master")
}

var sha = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

func isSHA(s string) bool { return sha.MatchString(s) }
