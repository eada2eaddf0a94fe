package env

import (
	"strconv"
	"strings"
)

// A mount is one line of /proc/self/mountinfo.
type mount struct {
	root    string   // which part of the file system is mounted
	point   string   // where
	fstype  string   // cgroup, cgroup2, ext4 …
	options []string // of the file system: for cgroup its controllers
}

// parseMounts reads /proc/self/mountinfo (proc_pid_mountinfo(5)):
//
//	36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
//
// with any number of optional fields before the dash. Other lines are skipped.
func parseMounts(text string) []mount {
	var all []mount
	for line := range strings.Lines(text) {
		before, after, ok := strings.Cut(line, " - ")
		if !ok {
			continue
		}
		b, a := strings.Fields(before), strings.Fields(after)
		if len(b) < 6 || len(a) < 1 {
			continue
		}
		m := mount{root: unescape(b[3]), point: unescape(b[4]), fstype: a[0]}
		if len(a) > 2 {
			m.options = strings.Split(a[2], ",")
		}
		all = append(all, m)
	}
	return all
}

// unescape replaces octal escapes such as \040 in a path by their bytes: the kernel writes blanks so.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+4 <= len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(v))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
