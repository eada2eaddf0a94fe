package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/suites/why"
)

// tally counts seeds by what was named.
type tally struct {
	first, third, seen int // seeds with a difference that was seen: the true cause is the first, among the first three, all
	unseen             int // no verdict
	near, shares       int // shares within 25 points of the true one, and all whose truth is known
	same, accused      int // without a difference; those with a cause
	failed             int
}

func (t *tally) String() string {
	return fmt.Sprintf("true cause first: %d of %d, among the first three: %d\nshare within 25 points: %d of %d\nno verdict: %d\nno difference: %d, of which %d have a cause\n",
		t.first, t.seen, t.third, t.near, t.shares, t.unseen, t.same, t.accused)
}

// add counts a seed and returns a word for it.
func (t *tally) add(s *why.Seed, a *answer, same bool) string {
	causes := a.Answer.Causes
	if s.Cause == "none" || same {
		t.same++
		if len(causes) > 0 {
			t.accused++
			return "WRONG"
		}
		return "right"
	}
	if v := a.Comparison.Verdict; v != "slower" && v != "faster" {
		t.unseen++
		return "no verdict"
	}
	t.seen++
	at := slices.IndexFunc(causes, func(c cause) bool { k := c.word(); return k == s.Cause || slices.Contains(s.Accepted, k) })
	far := ""
	if at >= 0 && s.Explained != nil && s.Difference == why.Large {
		t.shares++
		if v := causes[at].Share.Value; v != nil && math.Abs(*v-*s.Explained) <= 0.25 {
			t.near++
		} else {
			far = " far"
		}
	}
	switch {
	case at == 0:
		t.first++
		t.third++
		return "first" + far
	case at > 0 && at < 3:
		t.third++
		return fmt.Sprintf("number %d%s", at+1, far)
	}
	return "missed"
}

// words are those of seeds for kinds of causes.
var words = map[string]string{
	"allocation size": "allocations", "bounds checks": "bounds", "same instructions, slower": "cache", "code layout": "layout", "settings": "flags",
	"garbage collection": "gc",
}

// waits are the words of seeds for what is waited for.
var waits = map[string]string{"system call": "syscalls", "lock": "lock", "channel": "channel", "select": "channel", "sleep": "sleep"}

// word returns the word of the seeds for a cause.
func (c *cause) word() string {
	if w := words[c.Kind]; w != "" {
		return w
	}
	switch c.Kind {
	case "waiting":
		return waits[c.Wait]
	case "runtime":
		if strings.Contains(c.What, "kernel") {
			return "kernel"
		}
	}
	return c.Kind
}
