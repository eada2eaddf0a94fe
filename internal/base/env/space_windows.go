package env

import "golang.org/x/sys/windows"

func dirSpace(dir string) (space, error) {
	p, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return space{}, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(p, &free, nil, nil); err != nil {
		return space{}, err
	}
	return space{free: int64(free)}, nil
}
