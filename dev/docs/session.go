package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/dev/document"
)

// place is where the commands of a document run. Its directory has a link to the repository, tare.
type place struct {
	dir, repository string
	env             []string
	stderr          io.Writer
	shells          map[string]*shell // by where they began
}

// The directories in which a document's commands may begin.
const (
	inRepository = "repository"
	inPlace      = "beside"
	inRecent     = "recent" // a copy of examples/recent
)

// newPlace makes a place in a directory.
func newPlace(dir, repository string, env []string, stderr io.Writer) (*place, error) {
	env = append(env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=me", "GIT_AUTHOR_EMAIL=me@example.org",
		"GIT_COMMITTER_NAME=me", "GIT_COMMITTER_EMAIL=me@example.org", "LC_ALL=C.UTF-8")
	return &place{dir, repository, env, stderr, map[string]*shell{}}, os.Symlink(repository, filepath.Join(dir, "tare"))
}

// makeRecent makes a git repository of examples/recent.
const makeRecent = `cp -r tare/examples/recent . && cd recent && git init -q -b main && go mod init example.org/recent 2>/dev/null &&
git add . && git commit -qm 'as it is'`

// startOf returns where the commands of a document begin.
func startOf(path string) string {
	switch filepath.ToSlash(path) {
	case "README.md":
		return inRepository
	case "docs/tutorial.md", "docs/load.md", "docs/cluster.md":
		return inPlace
	}
	return inRecent
}

// shell returns the shell of a block's commands: that of the document, or the one that the block names.
func (p *place) shell(path string, b *document.Block) (*shell, error) {
	start, named := b.Note("in")
	if !named {
		start = startOf(path)
	}
	if s := p.shells[start]; s != nil {
		return s, nil
	}
	s := &shell{dir: p.dir, env: p.env, stderr: p.stderr}
	switch start {
	case inRepository:
		s.dir = p.repository
	case inPlace:
	case inRecent:
		if _, err := s.run(makeRecent); err != nil {
			return nil, fmt.Errorf("%s: %w", makeRecent, err)
		}
	default:
		return nil, fmt.Errorf("line %d: there is no place %q", b.Line, start)
	}
	p.shells[start] = s
	return s, nil
}

// hidePaths returns an output as it would be in a home directory.
func (p *place) hidePaths(output string) string {
	return strings.NewReplacer(p.dir, "~", p.repository, "~/tare").Replace(output)
}

// shell runs commands, each in the directory that the last one left it in.
type shell struct {
	dir    string
	env    []string
	stderr io.Writer
}

// run runs a command and returns what it printed on stdout. It fails if the command does.
func (s *shell) run(command string) (string, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer r.Close()
	cmd := exec.Command("sh", "-c", command+"\nstatus=$?; pwd >&3; exit $status")
	cmd.Dir, cmd.Env, cmd.Stderr = s.dir, append(s.env, "PWD="+s.dir), s.stderr
	cmd.ExtraFiles = []*os.File{w}
	out, err := cmd.Output()
	w.Close()
	if err != nil {
		return string(out), err
	}
	dir, err := bufio.NewReader(r).ReadString('\n') // not to the end: what runs on in the background has the pipe, too
	s.dir = strings.TrimSpace(dir)
	return string(out), err
}
