package live

import (
	"bufio"
	"encoding/json"
	"errors"
	"time"
)

// Verb is the only argument of the process that serves the page.
const Verb = "live-server"

// Setup is the first line of the server process's standard input. It carries the token, because other users can read the
// arguments of a process.
type Setup struct {
	Address string `json:"address"`
	Token   string `json:"token,omitempty"`
	Cert    string `json:"cert,omitempty"`
	Key     string `json:"key,omitempty"`
	Follow  bool   `json:"follow,omitempty"`  // poll the record file; otherwise read it only when a Message asks
	Lingers bool   `json:"lingers,omitempty"` // the page stays after the run: browsers have fetched the finished page by then
}

// Message is any later line. The process ends when its standard input is closed, which also happens if tare is killed.
type Message struct {
	Record  string `json:"record,omitempty"`  // name of the record file; sent again when the run continues in another file
	Between bool   `json:"between,omitempty"` // no measured process is running: the server may use CPU time now
	End     bool   `json:"end,omitempty"`     // the record is whole, and Record is the name that it has now
}

// Answer is a line of its standard output: one to the Setup, one to each Message.
type Answer struct {
	URL   string `json:"url,omitempty"`   // to the Setup
	Owner string `json:"owner,omitempty"` // to the Setup: a secret of the owner, where there is no token
	Error string `json:"error,omitempty"` // to the Setup: why there is no page
}

// Grace is how long the server waits at the end of a run for connected browsers to fetch the finished page, unless Setup.Lingers
// is set. It does not wait for browsers that have it; on a loaded machine a fetch takes seconds.
const Grace = 10 * time.Second

// ErrNotStarted is returned if the input does not begin with a [Setup], as when a user starts the process by hand.
var ErrNotStarted = errors.New("this process is started by --live")

// ReadSetup reads the Setup from the first line of the server process's standard input. It returns [ErrNotStarted] if that
// line is not one.
func ReadSetup(lines *bufio.Scanner) (Setup, error) {
	var s Setup
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &s) != nil || s.Address == "" {
		return s, ErrNotStarted
	}
	return s, nil
}
