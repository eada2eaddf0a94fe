package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
)

// Errors of locks.
var (
	errBusy   = errors.New("another tare is measuring on this machine")
	errNested = errors.New("the tare that has the lock started this one")
	errNoLock = errors.New("no lock of the machine")
)

// LockMode says what to do while another tare measures. The zero value waits for it.
type LockMode struct {
	NoWait bool // fail
	NoLock bool // take no lock and run beside it; both records say so
}

// LockMachine keeps two tare processes from measuring on one machine at the same time. While
// another one measures it waits, and says so once, unless mode says otherwise. For a process of another user it waits
// for a minute at most, because it cannot know whether that is a tare. command is this
// process's command line without secrets, which the user's others show. A process that the holder of the lock
// started gets nil, whose methods do nothing; so does any on a system without locks. Where no file can be locked it says
// so, and goes on.
func LockMachine(ctx context.Context, p *Progress, mode LockMode, command []string) (*MachineLock, error) {
	l := &MachineLock{users: newUserLock(), holder: holder{Pid: os.Getpid(), Start: time.Now(), Command: redact.Text(strings.Join(command, " "))}}
	if !mode.NoLock {
		err := l.lock(ctx, p, mode)
		if errors.Is(err, errNested) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	if l.presence = announcePresence(l.holder); l.presence == nil {
		l.users.countAll()
	}
	l.users.announce()
	return l, nil
}

// lock takes the lock of the user, so that only one tare of each user waits for those of others, and then that of all users.
func (l *MachineLock) lock(ctx context.Context, p *Progress, mode LockMode) error {
	wait := func(limit string) func(string) {
		if mode.NoWait {
			return nil
		}
		return func(other string) {
			p.Note("another tare is measuring on this machine (%s); waiting for it%s", other, limit)
		}
	}
	f, other, err := lockMachine(ctx, wait(""))
	if errors.Is(err, errNoLock) {
		p.Note("%v; another tare may measure at the same time", err)
		l.users.countAll()
	}
	if err == nil || errors.Is(err, errNoLock) {
		other, err = l.users.wait(ctx, wait(fmt.Sprintf(", for %s at most", userWait)))
	}
	if err != nil {
		if f != nil {
			f.Close()
		}
		if errors.Is(err, errBusy) {
			return exit.Failed(fmt.Errorf("%w (%s)", errBusy, other), "wait for it, or leave out --no-wait")
		}
		return err
	}
	if other := l.users.others(); other != "" {
		p.Note("another tare is still measuring on this machine (%s); measuring beside it", other)
	}
	l.f, l.holder.Start = f, time.Now()
	l.tell()
	return nil
}

// MachineLock is the lock of the machine; with [LockMode.NoLock] it locks nothing. It also knows
// which other tare processes run at the same time.
type MachineLock struct {
	f        *os.File // nil without the lock
	users    *userLock
	holder   holder // this process
	presence *presence
	warned   bool
}

// EndsAt sets when this process should have finished, which those that wait show. It does nothing if l is nil.
func (l *MachineLock) EndsAt(end time.Time) {
	if l != nil && l.f != nil {
		l.holder.End = end
		l.tell()
	}
}

// Warning returns a warning if another tare process has measured on this machine since the lock
// was taken. It returns nil if there was none, if it has returned the warning before, and if l is nil.
func (l *MachineLock) Warning() *record.Warn {
	if l == nil || l.warned {
		return nil
	}
	other := cmp.Or(l.presence.others(), l.users.others())
	if other == "" {
		return nil
	}
	l.warned = true
	return diagnosis.Warn(diagnosis.NotAlone, diagnosis.Facts{"other": other})
}

// tell writes the holder into the file of the lock, for the processes that wait.
func (l *MachineLock) tell() {
	text, err := json.Marshal(l.holder)
	if err != nil || l.f == nil {
		return
	}
	l.f.Truncate(0)
	l.f.WriteAt(text, 0)
}

// Unlock lets other tare processes measure. It does nothing if l is nil.
func (l *MachineLock) Unlock() {
	if l == nil {
		return
	}
	l.presence.end()
	l.users.close() // before the lock of the user, whose next tare could not tell who has the other
	if l.f != nil {
		l.f.Truncate(0)
		l.f.Close()
	}
}

// holder is what the file of the lock says about the tare that has it.
type holder struct {
	Pid     int       `json:"pid"`
	Start   time.Time `json:"start"`
	Command string    `json:"command"`
	End     time.Time `json:"end,omitzero"` // when it should have finished
}

// maxHolder is how many bytes of the lock's file are read.
const maxHolder = 4 << 10

// describeHolder returns who has the lock, by the text of its file: "tare bench ./...,
// pid 12, for 3m0s, about 2m0s left".
func describeHolder(text []byte, now time.Time) string {
	var h holder
	if json.Unmarshal(text, &h) != nil || h.Pid == 0 {
		if s := strings.TrimSpace(string(text)); strings.HasPrefix(s, "pid ") { // an older tare
			return termtext.Clip(s, 20)
		}
		return "holder unknown"
	}
	return h.describe(now)
}

func (h holder) describe(now time.Time) string {
	var parts []string
	if h.Command != "" {
		parts = append(parts, termtext.Clip(termtext.Charset{UTF8: true}.Name(h.Command), 100))
	}
	parts = append(parts, fmt.Sprintf("pid %d", h.Pid))
	if since := now.Sub(h.Start).Round(time.Second); !h.Start.IsZero() && since >= 0 {
		parts = append(parts, "for "+since.String())
	}
	switch left := h.End.Sub(now).Round(time.Second); {
	case h.End.IsZero():
	case left > 0:
		parts = append(parts, fmt.Sprintf("about %s left", left))
	default:
		parts = append(parts, "should have finished by now")
	}
	return strings.Join(parts, ", ")
}
