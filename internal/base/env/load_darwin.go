package env

import (
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Load returns the load average of the last minute: the number of running and runnable threads.
func Load() (float64, error) {
	b, err := unix.SysctlRaw("vm.loadavg")
	if err != nil {
		return 0, fmt.Errorf("load average is not available: %w", err)
	}
	// struct loadavg { fixpt_t ldavg[3]; long fscale; }
	if len(b) < 24 {
		return 0, errors.New("load average is not available: vm.loadavg is too short")
	}
	scale := binary.LittleEndian.Uint64(b[16:])
	if scale == 0 {
		return 0, errors.New("load average is not available: vm.loadavg has no scale")
	}
	return float64(binary.LittleEndian.Uint32(b)) / float64(scale), nil
}
