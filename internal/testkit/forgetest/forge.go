// Package forgetest is a forge on loopback for tests: comments in pages, tokens that may only read, texts that are too long.
package forgetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Token is the one that is taken, and Bot is whose it is.
const (
	Token = "forge-test-token"
	Bot   = "github-actions[bot]"
)

const maxBody = 65_536

// Forge is a forge with one repository, o/r, and one pull request, 7. Its fields may be set between requests.
type Forge struct {
	URL      string
	ReadOnly bool    // the token is that of a fork
	Locked   []int64 // comments that may not be changed
	Next     string  // the next page, whatever page it is
	Redirect string  // everything is elsewhere

	mu       sync.Mutex
	comments []*comment
	pulls    []pull
	requests int
}

type comment struct {
	ID   int64  `json:"id"`
	Body string `json:"body"`
	URL  string `json:"html_url"`
	User struct {
		Login string `json:"login"`
		Type  string `json:"type"`
	} `json:"user"`
}

type pull struct {
	Number int               `json:"number"`
	Head   map[string]string `json:"head"`
	from   string
}

// New returns a forge that ends with the test.
func New(t testing.TB) *Forge {
	f := &Forge{}
	server := httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(server.Close)
	f.URL = server.URL
	return f
}

// Comment adds a comment and returns its number.
func (f *Forge) Comment(login, body string) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.add(login, body).ID
}

func (f *Forge) add(login, body string) *comment {
	c := &comment{ID: int64(len(f.comments) + 1), Body: body, URL: fmt.Sprintf("%s/o/r/pull/7#%d", f.URL, len(f.comments)+1)}
	c.User.Login = login
	f.comments = append(f.comments, c)
	return c
}

// Pull adds an open pull request from owner:branch.
func (f *Forge) Pull(number int, from, sha string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pulls = append(f.pulls, pull{number, map[string]string{"sha": sha}, from})
}

// Body returns the text of a comment.
func (f *Forge) Body(id int64) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.comments[id-1].Body
}

// Count returns how many comments there are.
func (f *Forge) Count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.comments)
}

// Pages returns on how many pages of 100 they are.
func (f *Forge) Pages() int { return (f.Count() + 99) / 100 }

// Requests returns how many requests came.
func (f *Forge) Requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.requests
}

func (f *Forge) serve(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests++
	path := r.URL.Path
	switch {
	case f.Redirect != "":
		http.Redirect(w, r, f.Redirect+path, http.StatusTemporaryRedirect)
	case r.Header.Get("Authorization") != "Bearer "+Token:
		fail(w, http.StatusUnauthorized, "Bad credentials")
	case path == "/user", f.ReadOnly && r.Method != http.MethodGet:
		fail(w, http.StatusForbidden, "Resource not accessible by integration")
	case r.Method == http.MethodGet && path == "/repos/o/r/pulls":
		list := slices.DeleteFunc(slices.Clone(f.pulls), func(p pull) bool { return p.from != r.URL.Query().Get("head") })
		answer(w, list)
	case r.Method == http.MethodGet && path == "/repos/o/r/issues/7/comments":
		f.list(w, r)
	case r.Method == http.MethodPost && path == "/repos/o/r/issues/7/comments":
		if body, ok := bodyOf(w, r); ok {
			answer(w, f.add(Bot, body))
		}
	case r.Method == http.MethodPatch && strings.HasPrefix(path, "/repos/o/r/issues/comments/"):
		f.change(w, r, strings.TrimPrefix(path, "/repos/o/r/issues/comments/"))
	default:
		fail(w, http.StatusNotFound, "Not Found")
	}
}

func (f *Forge) list(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	page = max(page, 1)
	from, to := min((page-1)*100, len(f.comments)), min(page*100, len(f.comments))
	if to < len(f.comments) {
		w.Header().Set("Link", fmt.Sprintf(`<%s/repos/o/r/issues/7/comments?per_page=100&page=1>; rel="prev", <%[1]s/repos/o/r/issues/7/comments?per_page=100&page=%d>; rel="next"`, f.URL, page+1))
	}
	if f.Next != "" {
		w.Header().Set("Link", "<"+f.Next+`>; rel="next"`)
	}
	answer(w, f.comments[from:to])
}

func (f *Forge) change(w http.ResponseWriter, r *http.Request, number string) {
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || id < 1 || int(id) > len(f.comments) {
		fail(w, http.StatusNotFound, "Not Found")
		return
	}
	c := f.comments[id-1]
	if c.User.Login != Bot || slices.Contains(f.Locked, id) {
		fail(w, http.StatusForbidden, "You are not allowed to edit this comment")
		return
	}
	if body, ok := bodyOf(w, r); ok {
		c.Body = body
		answer(w, c)
	}
}

func bodyOf(w http.ResponseWriter, r *http.Request) (string, bool) {
	var x struct{ Body string }
	if json.NewDecoder(r.Body).Decode(&x) != nil || x.Body == "" || len(x.Body) > maxBody {
		fail(w, http.StatusUnprocessableEntity, "Validation Failed: body is too long (maximum is 65536 characters)")
		return "", false
	}
	return x.Body, true
}

func fail(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	answer(w, map[string]string{"message": message})
}

func answer(w http.ResponseWriter, v any) { json.NewEncoder(w).Encode(v) }
