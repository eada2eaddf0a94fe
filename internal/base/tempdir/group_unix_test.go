//go:build unix

package tempdir

import "testing"

// TestIsPrivate: a group with the name of one user is private as long as no other user is known to be in it.
func TestIsPrivate(t *testing.T) {
	const users = "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/:\nben:x:1001:1001::/:\ncat:x:1002:100::/:\ndan:x:1003:1000::/:\n"
	const alone = "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/:\n"
	for _, c := range []struct {
		what          string
		gid           int
		users, groups string
		want          bool
	}{
		{"a group of one's own", 1000, alone, "ann:x:1000:\n", true},
		{"with its user in it", 1000, alone, "ann:x:1000:ann\n", true},
		{"that of root", 0, alone, "root:x:0:\n", true},
		{"another user has it as well", 1000, users, "ann:x:1000:\n", false},
		{"another user is in it", 1000, alone, "ann:x:1000:ann,ben\n", false},
		{"in a second line", 1000, alone, "ann:x:1000:\nann:x:1000:ben\n", false},
		{"another user's", 1001, users, "ben:x:1001:\n", false},
		{"of another name", 1000, alone, "staff:x:1000:\n", false},
		{"not in the file", 1000, alone, "root:x:0:\n", false},
		{"no user's", 100, alone, "users:x:100:\n", false},
		{"a user who is not in the file", 1000, "root:x:0:0::/root:/bin/sh\n", "ann:x:1000:\n", false},
		{"damaged", 1000, "ann:x\n", "ann:x:1000\n:::\n", false},
	} {
		if got := isPrivate(c.gid, 1000, c.users, c.groups); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}
