package trend

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/git"
)

// Commit is a commit of the line whose history is examined.
type Commit struct {
	Hash, Tree string
	Time       time.Time // of the commit
	Subject    string    // first line of its message
}

// Short returns the first digits of the commit.
func (c Commit) Short() string { return Short(c.Hash) }

// Short returns the first 10 digits of a commit.
func Short(hash string) string { return hash[:min(len(hash), 10)] }

// FirstParents returns the commits of a revision or of a range A..B, the oldest first. Of a merge, the line goes on with the
// first parent, so that each commit is one state of the branch.
func FirstParents(ctx context.Context, dir, revision string) ([]Commit, error) {
	args := []string{"log", "--first-parent", "--reverse", "--format=%H%x00%T%x00%ct%x00%s", "--end-of-options", revision, "--"}
	out, err := git.Call{Dir: dir, Args: args}.Output(ctx)
	if err != nil {
		return nil, err
	}
	var line []Commit
	for text := range strings.Lines(out) {
		fields := strings.SplitN(strings.TrimSuffix(text, "\n"), "\x00", 4)
		if len(fields) != 4 {
			return nil, fmt.Errorf("git log printed %q", text)
		}
		seconds, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git log printed %q", text)
		}
		line = append(line, Commit{fields[0], fields[1], time.Unix(seconds, 0).UTC(), fields[3]})
	}
	return line, nil
}
