//go:build unix

package tempdir

import (
	"os"
	"slices"
	"strconv"
	"strings"
)

// isPrivateGroup reports whether a group is known to be that of one user alone, this one or root: Debian, Fedora and others give each
// user a group of the same name, and with it the umask 002.
func isPrivateGroup(gid int) bool {
	users, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return false
	}
	groups, err := os.ReadFile("/etc/group")
	return err == nil && isPrivate(gid, os.Geteuid(), string(users), string(groups))
}

// isPrivate is isPrivateGroup for user uid, by the texts of /etc/passwd and /etc/group. What these do not know is not known to be
// private: a group of a directory service has members that they do not show.
func isPrivate(gid, uid int, users, groups string) bool {
	var owners, members []string // users that have the group as theirs; that are in it
	for f := range fields(users, 4) {
		if f[3] == strconv.Itoa(gid) {
			if f[2] != strconv.Itoa(uid) && f[2] != "0" {
				return false
			}
			owners = append(owners, f[0])
		}
	}
	private := false
	for f := range fields(groups, 4) {
		if f[2] == strconv.Itoa(gid) {
			private = private || slices.Contains(owners, f[0])
			members = append(members, strings.FieldsFunc(f[3], func(r rune) bool { return r == ',' })...)
		}
	}
	return private && !slices.ContainsFunc(members, func(name string) bool { return !slices.Contains(owners, name) })
}

// fields yields the fields of lines that have at least n.
func fields(text string, n int) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(text) {
			if f := strings.Split(strings.TrimSpace(line), ":"); len(f) >= n && !yield(f) {
				return
			}
		}
	}
}
