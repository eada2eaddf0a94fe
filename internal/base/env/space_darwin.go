package env

import "golang.org/x/sys/unix"

func dirSpace(dir string) (space, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return space{}, err
	}
	return space{
		free:   int64(s.Bavail) * int64(s.Bsize),
		fstype: unix.ByteSliceToString(s.Fstypename[:]),
	}, nil
}
