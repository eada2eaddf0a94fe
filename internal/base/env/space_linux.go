package env

import "golang.org/x/sys/unix"

// fsTypes are the magic numbers of statfs(2) of common file systems.
var fsTypes = map[int64]string{
	unix.EXT4_SUPER_MAGIC:      "ext4",
	unix.XFS_SUPER_MAGIC:       "xfs",
	unix.BTRFS_SUPER_MAGIC:     "btrfs",
	unix.F2FS_SUPER_MAGIC:      "f2fs",
	unix.TMPFS_MAGIC:           "tmpfs",
	unix.RAMFS_MAGIC:           "ramfs",
	unix.OVERLAYFS_SUPER_MAGIC: "overlayfs",
	unix.NFS_SUPER_MAGIC:       network,
	0x2fc12fc1:                 "zfs",
	0x01021997:                 "9p",
}

func dirSpace(dir string) (space, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return space{}, err
	}
	// The field types differ by architecture. Magic numbers have 32 bits, and some systems sign-extend them.
	return space{
		free:   int64(s.Bavail) * int64(s.Bsize),
		fstype: fsTypes[int64(uint32(s.Type))],
	}, nil
}
