package ci

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Event is what tare reads of the file that GitHub describes an event in (GITHUB_EVENT_PATH).
type Event struct {
	Before      string       `json:"before"` // of a push: what the branch was before
	PullRequest *PullRequest `json:"pull_request"`
	WorkflowRun *WorkflowRun `json:"workflow_run"`
	Repository  struct {
		FullName string `json:"full_name"`
	} `json:"repository"`
}

// PullRequest is the pull request of an event.
type PullRequest struct {
	Number int    `json:"number"`
	Base   Branch `json:"base"`
	Head   Branch `json:"head"`
}

// Branch is one side of a pull request.
type Branch struct {
	SHA  string `json:"sha"`
	Ref  string `json:"ref"`
	Repo *struct {
		FullName string `json:"full_name"`
	} `json:"repo"` // null if it was deleted
}

// WorkflowRun is the run whose end a workflow was started by.
type WorkflowRun struct {
	Event          string `json:"event"`
	HeadBranch     string `json:"head_branch"`
	HeadSHA        string `json:"head_sha"`
	HeadRepository struct {
		Owner struct {
			Login string `json:"login"`
		} `json:"owner"`
	} `json:"head_repository"`
	PullRequests []struct {
		Number int `json:"number"`
	} `json:"pull_requests"` // empty for those of forks
}

// maxEvent bounds the file of an event, in bytes. GitHub's own limit of a payload is 25 MB.
const maxEvent = 32 << 20

// ReadEvent reads the file of an event. An empty path is no event, and no error.
func ReadEvent(path string) (*Event, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the file of the event: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxEvent+1))
	if err == nil && len(text) > maxEvent {
		err = errors.New("has more than 32 MiB")
	}
	e := &Event{}
	if err == nil {
		err = json.Unmarshal(text, e)
	}
	if err != nil {
		return nil, fmt.Errorf("the file of the event: %s: %w", path, err)
	}
	return e, nil
}

// FromFork reports whether the pull request comes from another repository, for whose workflows the token is read-only.
func (p *PullRequest) FromFork() bool {
	return p.Head.Repo == nil || p.Base.Repo == nil || p.Head.Repo.FullName != p.Base.Repo.FullName
}
