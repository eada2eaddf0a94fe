package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/tarebench/tare/internal/termtext"
)

// presence is our entry in the log of the tares that run on this machine: those that hold the
// lock, and those that run beside it. A tare reads there at its end who came meanwhile.
//
// Everybody in the log has a shared lock on its file. Whoever gets an exclusive one when it
// comes is alone, and empties the log.
type presence struct {
	f    *os.File
	self visitor
	from int64  // where the log ended when we came
	met  string // describes who was there when we came; "" if we were alone
}

// visitor is a line of the log.
type visitor struct {
	Pid     int       `json:"pid"`
	Start   time.Time `json:"start"`
	Command string    `json:"command,omitempty"`
	Left    bool      `json:"left,omitempty"` // the line is of its end
}

// maxVisitors is how many bytes of the log are read. Anybody may have written it.
const maxVisitors = 256 << 10

// enter notes in an open log that we run. alone tells that nobody else did when we came.
func enter(f *os.File, h holder, alone bool) *presence {
	p := &presence{f: f, self: visitor{Pid: h.Pid, Start: h.Start, Command: termtext.Clip(h.Command, 200)}}
	if !alone {
		p.from = size(f)
		p.met = describeVisitors(p.present(readVisitors(f, 0)))
		if p.met == "" {
			p.met = "its command is not known"
		}
	}
	p.add(p.self)
	return p
}

// leave notes that we run no longer. It may be called with nil.
func (p *presence) leave() {
	if p == nil {
		return
	}
	p.self.Left, p.self.Command = true, ""
	p.add(p.self)
	p.f.Close()
}

// others describes the tares that ran since we came; "" if there were none. It may be called
// with nil.
func (p *presence) others() string {
	if p == nil {
		return ""
	}
	if p.met != "" {
		return p.met
	}
	var came []visitor
	for _, v := range readVisitors(p.f, p.from) {
		if !v.Left && !p.isSelf(v) {
			came = append(came, v)
		}
	}
	return describeVisitors(came)
}

// present returns those that have not left.
func (p *presence) present(log []visitor) (there []visitor) {
	for i, v := range log {
		gone := v.Left || p.isSelf(v)
		for _, later := range log[i+1:] {
			gone = gone || later.Left && later.Pid == v.Pid && later.Start.Equal(v.Start)
		}
		if !gone {
			there = append(there, v)
		}
	}
	return there
}

func (p *presence) isSelf(v visitor) bool { return v.Pid == p.self.Pid && v.Start.Equal(p.self.Start) }

// add appends a line; the file was opened for that.
func (p *presence) add(v visitor) {
	if text, err := json.Marshal(v); err == nil {
		p.f.Write(append(text, '\n'))
	}
}

func readVisitors(f *os.File, from int64) (all []visitor) {
	text, _ := io.ReadAll(io.NewSectionReader(f, from, maxVisitors))
	for line := range bytes.Lines(text) {
		var v visitor
		if json.Unmarshal(line, &v) == nil && v.Pid != 0 {
			all = append(all, v)
		}
	}
	return all
}

// describeVisitors names the last and counts the others: "tare bench ./..., pid 12 (and 1 more)".
func describeVisitors(all []visitor) string {
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
