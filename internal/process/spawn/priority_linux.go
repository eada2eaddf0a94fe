package spawn

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// autogroup is the priority that children get: the highest.
const autogroup = "-20"

// Prioritize has the kernel prefer all children, also those that run already, to programs of other sessions. The launcher
// leads a session of its own, and where the kernel shares processors between sessions (autogroups, sched(7)), nice values
// count only inside of them. It returns what was done, "autogroup -20". It fails where that is not allowed, which takes
// CAP_SYS_NICE, and where the kernel has no autogroups.
func (l *Launcher) Prioritize() (done string, err error) {
	pid := l.Pid()
	if pid == 0 {
		return "", errors.New("spawn: priority: there is no launcher program")
	}
	return raise(fmt.Sprintf("/proc/%d/autogroup", pid))
}

func raise(file string) (string, error) {
	err := writeFile(file, autogroup)
	if errors.Is(err, syscall.EAGAIN) { // one change in a tenth of a second, unless we are root
		time.Sleep(120 * time.Millisecond)
		err = writeFile(file, autogroup)
	}
	if err != nil {
		return "", fmt.Errorf("spawn: priority: %w", err)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "nice "+autogroup) {
		return "", fmt.Errorf("spawn: priority: %s holds %q", file, strings.TrimSpace(string(text)))
	}
	return "autogroup " + autogroup, nil
}

// writeFile does not create a file.
func writeFile(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
