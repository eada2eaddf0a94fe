package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/tarebench/tare/internal/base/termtext"
)

// presence is this process's entry in the log of the user's tare processes: a file to which each tare that
// measures on this machine adds a line when it starts and one when it ends, whether it holds the
// lock or was started with --no-lock. From it a tare learns at its end which others ran meanwhile.
//
// Each of them keeps a shared lock on the log. One that can take an exclusive lock when it starts
// is alone, and empties the log.
type presence struct {
	f       *os.File
	self    logLine
	offset  int64  // end of the log when this process started
	atStart string // describes the processes that ran then; "" if there were none
}

// logLine is a line of the log.
type logLine struct {
	Pid     int       `json:"pid"`
	Start   time.Time `json:"start"`
	Command string    `json:"command,omitempty"`
	Left    bool      `json:"left,omitempty"` // the process has ended
}

// maxLog is how many bytes of the log are read at most.
const maxLog = 256 << 10

// newPresence adds the line of a process that starts to the open log f. alone reports that no other tare runs.
func newPresence(f *os.File, h holder, alone bool) *presence {
	p := &presence{f: f, self: logLine{Pid: h.Pid, Start: h.Start, Command: termtext.Clip(h.Command, 200)}}
	if !alone {
		p.offset = size(f)
		p.atStart = describeProcesses(p.running(readLog(f, 0)))
		if p.atStart == "" {
			p.atStart = "its command is not known"
		}
	}
	p.add(p.self)
	return p
}

// end adds a line that says that this process has ended, and closes the log. It does nothing if p is nil.
func (p *presence) end() {
	if p == nil {
		return
	}
	p.self.Left, p.self.Command = true, ""
	p.add(p.self)
	p.f.Close()
}

// others describes the tare processes that ran at any time since this one started. It returns ""
// if there were none, and if p is nil.
func (p *presence) others() string {
	if p == nil {
		return ""
	}
	if p.atStart != "" {
		return p.atStart
	}
	var later []logLine
	for _, v := range readLog(p.f, p.offset) {
		if !v.Left && !p.isSelf(v) {
			later = append(later, v)
		}
	}
	return describeProcesses(later)
}

// running returns the lines of the other processes that have not ended.
func (p *presence) running(log []logLine) (rest []logLine) {
	for i, v := range log {
		gone := v.Left || p.isSelf(v) || !alive(v.Pid) // a process that was killed has said nothing
		for _, later := range log[i+1:] {
			gone = gone || later.Left && later.Pid == v.Pid && later.Start.Equal(v.Start)
		}
		if !gone {
			rest = append(rest, v)
		}
	}
	return rest
}

// alive reports whether there is a process with this number. It returns true if that is not known.
func alive(pid int) bool {
	x, err := os.FindProcess(pid)
	if err != nil {
		return false // on Windows
	}
	defer x.Release()
	return !errors.Is(x.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

func (p *presence) isSelf(v logLine) bool { return v.Pid == p.self.Pid && v.Start.Equal(p.self.Start) }

// add appends a line to the log. An error is ignored: the log only serves warnings.
func (p *presence) add(v logLine) {
	if text, err := json.Marshal(v); err == nil {
		p.f.Write(append(text, '\n'))
	}
}

func readLog(f *os.File, from int64) (all []logLine) {
	text, _ := io.ReadAll(io.NewSectionReader(f, from, maxLog))
	for line := range bytes.Lines(text) {
		var v logLine
		if json.Unmarshal(line, &v) == nil && v.Pid != 0 {
			all = append(all, v)
		}
	}
	return all
}

// describeProcesses names the last process and counts the others: "tare bench ./..., pid 12 (and 1 more)".
func describeProcesses(all []logLine) string {
	if len(all) == 0 {
		return ""
	}
	last := all[len(all)-1]
	text := holder{Pid: last.Pid, Command: last.Command}.describe(time.Now())
	if n := len(all) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return text
}

func size(f *os.File) int64 {
	st, err := f.Stat()
	if err != nil {
		return 0
	}
	return st.Size()
}
