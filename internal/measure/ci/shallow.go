package ci

import (
	"strconv"
)

// depths are how many commits more are fetched, one after another, in the search of a merge base.
var depths = []int{20, 200, 2000}

// commit returns the commit of a revision, "" if it is not here.
func (f *finder) commit(rev string) string {
	c, err := f.repo.Git(f.ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return ""
	}
	return c
}

// shallow reports whether the clone lacks history. --depth in a full clone would cut it off.
func (f *finder) shallow() bool {
	is, err := f.repo.Git(f.ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && is == "true"
}

// need returns a commit by its hash, and fetches it if it is not here.
func (f *finder) need(sha string) string {
	if c := f.commit(sha); c != "" {
		return c
	}
	f.fetch(sha)
	return f.commit(sha)
}

// fetch brings one revision of the remote, and of a shallow clone nothing before it.
func (f *finder) fetch(rev string) {
	args := []string{"fetch", "--quiet", "--no-tags"}
	if f.shallow() {
		args = append(args, "--depth=1")
	}
	if _, err := f.repo.Git(f.ctx, append(args, "--end-of-options", "origin", rev)...); err != nil {
		f.Note("%s is not here, and cannot be fetched from origin", rev)
	}
}

// deepen brings n commits more before HEAD and another revision, if there is one, and reports whether it could. They are
// named to the remote by their hashes: a merge commit of a pull request is on no branch.
func (f *finder) deepen(n int, rev string) bool {
	if !f.shallow() {
		return false
	}
	args := []string{"fetch", "--quiet", "--no-tags", "--deepen=" + strconv.Itoa(n), "origin", f.head}
	if c := f.commit(rev); rev != "" && c != "" {
		args = append(args, c)
	}
	_, err := f.repo.Git(f.ctx, args...)
	if err != nil {
		f.Note("more commits cannot be fetched from origin")
	}
	return err == nil
}

// mergeBase returns the merge base of HEAD and the first of the revisions that is here or can be fetched. It deepens a
// shallow clone step by step.
func (f *finder) mergeBase(why string, revs ...string) *Base {
	for _, rev := range revs {
		if isSHA(rev) {
			f.need(rev)
		}
		if f.commit(rev) == "" {
			continue
		}
		for i := 0; ; i++ {
			if c, err := f.repo.Git(f.ctx, "merge-base", "HEAD", rev); err == nil {
				return &Base{c, why}
			}
			if i == len(depths) || !f.deepen(depths[i], rev) {
				break
			}
		}
	}
	return nil
}
