//go:build !linux

package memorymax

import "errors"

// group is a control group, which only Linux has.
type group struct{}

func openGroup(int64, int) (*group, error) {
	return nil, errors.New("this system has no control groups")
}

func (*group) version() string { return "" }
func (*group) kills() int64    { return 0 }
func (*group) remove() error   { return nil }
