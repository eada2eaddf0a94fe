package env

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// memInfo holds values of /proc/meminfo, in bytes; -1 = missing.
type memInfo struct {
	total     int64
	available int64
	swapTotal int64
	swapFree  int64
}

func (h host) memInfo() (memInfo, error) {
	s, err := h.text("proc/meminfo")
	if err != nil {
		return memInfo{}, err
	}
	return parseMemInfo(s)
}

func parseMemInfo(text string) (memInfo, error) {
	m := memInfo{-1, -1, -1, -1}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		if err != nil || kib < 0 || kib > math.MaxInt64/1024 {
			continue
		}
		switch key {
		case "MemTotal":
			m.total = kib * 1024
		case "MemAvailable":
			m.available = kib * 1024
		case "SwapTotal":
			m.swapTotal = kib * 1024
		case "SwapFree":
			m.swapFree = kib * 1024
		}
	}
	if m.total <= 0 {
		return memInfo{}, errors.New("/proc/meminfo has no MemTotal")
	}
	return m, nil
}

// swapUsed returns the swap space in use, in bytes.
func (m memInfo) swapUsed() int64 {
	if m.swapTotal < 0 || m.swapFree < 0 {
		return 0
	}
	return max(m.swapTotal-m.swapFree, 0)
}
