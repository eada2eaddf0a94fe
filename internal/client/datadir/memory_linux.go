package datadir

import "syscall"

// Of the file systems in memory, from linux/magic.h.
const (
	tmpfs = 0x01021994
	ramfs = 0x858458f6
)

func inMemory(dir string) bool {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return false
	}
	kind := uint32(s.Type) // int64 or int32, by architecture
	return kind == tmpfs || kind == ramfs
}
