package joblog

import (
	"crypto/rand"
	"fmt"
	"io"
)

// Log is the log of a job. A nil Log is that of a command outside any job: its methods do nothing.
type Log struct {
	stderr io.Writer
	github bool
	token  string // with which commands resume; "": they are not stopped
}

// services are the variables that services of continuous integration set. CI is set by most, and not by all.
var services = []string{"CI", "GITHUB_ACTIONS", "GITLAB_CI", "TEAMCITY_VERSION", "TF_BUILD", "TRAVIS"}

// inJob reports whether the environment is that of a job.
func inJob(getenv func(string) string) bool {
	for _, name := range services {
		if v := getenv(name); v != "" && v != "false" && v != "0" {
			return true
		}
	}
	return false
}

// Open returns the log of the job that the environment describes, and the streams to write to instead of those given: each
// a [Writer]. Outside any job they are those given.
func Open(getenv func(string) string, stdout, stderr io.Writer) (l *Log, out, err io.Writer) {
	if !inJob(getenv) {
		return nil, stdout, stderr
	}
	return &Log{stderr: stderr, github: getenv("GITHUB_ACTIONS") == "true"}, NewWriter(stdout), NewWriter(stderr)
}

// Stop has GitHub ignore commands until [Log.Resume]. The token is made here, and stands in no environment and in no
// arguments, so that no process that is started learns it from there.
func (l *Log) Stop() {
	if l == nil || !l.github || l.token != "" {
		return
	}
	l.token = rand.Text()
	fmt.Fprintf(l.stderr, "::stop-commands::%s\n", l.token)
}

// Resume ends [Log.Stop]. The line of the token is one also if what was written before it does not end its line.
func (l *Log) Resume() {
	if l == nil || l.token == "" {
		return
	}
	fmt.Fprintf(l.stderr, "\n::%s::\n", l.token)
	l.token = ""
}

// Commands has write write commands of tare itself, which GitHub obeys: each a line that begins with two colons. What others
// say in them is no command. They stay resumed: it is called when no process of others runs any more.
func (l *Log) Commands(write func(w io.Writer) error) error {
	if l == nil || !l.github {
		return nil
	}
	l.Resume()
	return write(&Writer{w: l.stderr, own: true})
}
