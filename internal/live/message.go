package live

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// Verb is the only argument of the process that serves the page.
const Verb = "live-server"

// Setup is the first line of that process's standard input. The token comes this way, because anybody can read the
// arguments of a process.
type Setup struct {
	Address string `json:"address"`
	Token   string `json:"token,omitempty"`
	Cert    string `json:"cert,omitempty"`
	Key     string `json:"key,omitempty"`
	Follow  bool   `json:"follow,omitempty"`  // look for new lines all the time; else only when told
	Lingers bool   `json:"lingers,omitempty"` // the page stays after the run: browsers have fetched the finished page by then
}

// Message is any further line. When its standard input ends, the process does, too: also if tare was killed.
type Message struct {
	Record  string `json:"record,omitempty"`  // the name of the record file, when it is known and when another one goes on
	Between bool   `json:"between,omitempty"` // no measured process runs: now is the time to work
	End     bool   `json:"end,omitempty"`     // the record is whole, and Record is the name that it has now
}

// Answer is a line of its standard output: one to the Setup, one to each Message.
type Answer struct {
	URL   string `json:"url,omitempty"`   // to the Setup
	Error string `json:"error,omitempty"` // likewise: why there is no page
}

// Grace is the limit of what browsers take at the end to fetch the finished page, if they do not linger. One that has it leaves
// at once; on a loaded machine that takes seconds.
const Grace = 10 * time.Second

// ErrNotStarted is returned where the process was started by hand: its input does not begin with a [Setup].
var ErrNotStarted = errors.New("this process is started by --live")

// ReadSetup reads the first line of its standard input.
func ReadSetup(lines *bufio.Scanner) (Setup, error) {
	var s Setup
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &s) != nil || s.Address == "" {
		return s, ErrNotStarted
	}
	return s, nil
}

// Refuse answers that there is no page, and why.
func Refuse(in io.Reader, out io.Writer, why string) error {
	if _, err := ReadSetup(bufio.NewScanner(in)); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(Answer{Error: why})
}
