package history

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/git"
)

// manyEntries is the number of entries from which on they are written as one pack. As objects of their own, many entries would
// take four times the room, and a process each.
const manyEntries = 50

// importEntries makes a commit of the tree of base, if any, and entries, whose objects are all in one new pack.
func (s *Ref) importEntries(ctx context.Context, base string, files []encoded, message string) (string, error) {
	ref := "refs/tare/import/" + rand.Text()
	var in bytes.Buffer
	message = "tare history: " + message
	fmt.Fprintf(&in, "commit %s\ncommitter tare <tare@localhost> %d +0000\ndata %d\n%s\n", ref, time.Now().Unix(), len(message), message)
	if base != "" {
		fmt.Fprintf(&in, "from %s\n", base)
	}
	for _, f := range files {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", f.Path(), len(f.content), f.content)
	}
	in.WriteString("done\n")
	call := git.Call{Dir: s.dir, Args: []string{"-c", "fastimport.unpackLimit=1", "fast-import", "--quiet", "--done"}, Stdin: &in}
	if _, err := call.Output(ctx); err != nil {
		return "", err
	}
	commit, err := s.git(ctx, nil, "rev-parse", "--verify", ref)
	if err != nil {
		return "", err
	}
	_, err = s.git(ctx, nil, "update-ref", "-d", ref) // its objects are new, and no collection removes them before the ref has them
	return strings.TrimSpace(commit), err
}
