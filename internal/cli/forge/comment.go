package forge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// comment is what is read of a comment.
type comment struct {
	ID   int64  `json:"id"`
	Body string `json:"body"`
	URL  string `json:"html_url"`
	User struct {
		Login string `json:"login"`
		Type  string `json:"type"` // Bot, User
	} `json:"user"`
}

// actions is who comments with the token of a workflow.
const actions = "github-actions[bot]"

// name matches what a marker may be called.
var name = regexp.MustCompile(`^[A-Za-z0-9._-]{1,40}$`)

// Marker returns the first line of a comment, which is not shown, and by which the comment is found again.
func Marker(of string) string { return "<!-- tare:" + of + " -->" }

// CheckName fails for a name that a marker cannot have.
func CheckName(of string) error {
	if !name.MatchString(of) {
		return fmt.Errorf("the name of a comment, %q, is not of 1 to 40 letters, digits, dots, dashes and underscores", of)
	}
	return nil
}

// Put has the pull request show one comment of a name with this text: it replaces the newest of its own, or else posts one.
// It returns its address. If the forge finds the text too long, shorten gives one of at most so many bytes, once.
func (c *Client) Put(ctx context.Context, pr int, of, text string, shorten func(limit int) string) (string, error) {
	own, err := c.own(ctx, pr, Marker(of))
	if err != nil {
		return "", err
	}
	put := func(text string) (string, error) {
		text = Marker(of) + "\n" + text
		for _, id := range own {
			var now comment
			_, err := c.call(ctx, http.MethodPatch, c.at("/issues/comments/%d", id), map[string]string{"body": text}, &now)
			if s := (*StatusError)(nil); errors.As(err, &s) && (s.Status == http.StatusForbidden || s.Status == http.StatusNotFound) {
				continue // somebody else's, or deleted meanwhile
			}
			return line(now.URL), err
		}
		var now comment
		_, err := c.call(ctx, http.MethodPost, c.at("/issues/%d/comments", pr), map[string]string{"body": text}, &now)
		return line(now.URL), err
	}
	address, err := put(text)
	if s := (*StatusError)(nil); errors.As(err, &s) && s.Status == http.StatusUnprocessableEntity && shorten != nil {
		return put(shorten(len(text) / 2))
	}
	return address, err
}

// own returns the comments that begin with the marker and are of whom the token is of, the newest first.
func (c *Client) own(ctx context.Context, pr int, marker string) ([]int64, error) {
	login := c.login(ctx)
	var ids []int64
	address := c.at("/issues/%d/comments?per_page=100", pr)
	for page := 0; address != "" && page < maxPages; page++ {
		var list []comment
		next, err := c.call(ctx, http.MethodGet, address, nil, &list)
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			if first, _, _ := strings.Cut(x.Body, "\n"); strings.TrimSpace(first) == marker && x.User.Login == login {
				ids = append([]int64{x.ID}, ids...)
			}
		}
		address = next
	}
	return ids, nil
}

// login returns who the token is of. That of a workflow may not ask.
func (c *Client) login(ctx context.Context) string {
	var who struct {
		Login string `json:"login"`
	}
	if _, err := c.call(ctx, http.MethodGet, strings.TrimSuffix(c.API, "/")+"/user", nil, &who); err != nil || who.Login == "" {
		return actions
	}
	return who.Login
}

// PullOf returns the number of the open pull request from owner:branch whose last commit is sha: what a workflow_run event
// of a fork does not say. It fails if there is none.
func (c *Client) PullOf(ctx context.Context, owner, branch, sha string) (int, error) {
	var list []struct {
		Number int `json:"number"`
		Head   struct {
			SHA string `json:"sha"`
		} `json:"head"`
	}
	if _, err := c.call(ctx, http.MethodGet, c.at("/pulls?state=open&per_page=100&head=%s", url.QueryEscape(owner+":"+branch)), nil, &list); err != nil {
		return 0, err
	}
	for _, p := range list {
		if p.Head.SHA == sha {
			return p.Number, nil
		}
	}
	return 0, fmt.Errorf("no open pull request from %s:%s ends at %.7s: it was closed, or has newer commits", owner, branch, sha)
}
