package testing

import (
	"os"
	"syscall"
	"unsafe"
)

// tareKernel takes the place of the kernel that SUBJECTS_KERNEL names.
var tareKernel = tarePart{process: tareKernelProcess}

func tareKernelProcess() {
	open := tareEventOpen
	switch os.Getenv("SUBJECTS_KERNEL") {
	case "virtual": // no events of the processor
		tareEventOpen = func(attr *tareEventAttr, tid int) (int, syscall.Errno) {
			if attr.kind == 0 {
				return 0, syscall.ENOENT
			}
			return open(attr, tid)
		}
	case "strict": // none at all
		tareEventOpen = func(*tareEventAttr, int) (int, syscall.Errno) { return 0, syscall.EACCES }
	case "shy": // none of its own
		tareEventOpen = func(attr *tareEventAttr, tid int) (int, syscall.Errno) {
			if attr.flags&tareEventNoKernel == 0 {
				return 0, syscall.EPERM
			}
			return open(attr, tid)
		}
	case "multiplexed": // the event of config 0 is counted half of the time, the others always
		tareEventOpen = func(attr *tareEventAttr, tid int) (int, syscall.Errno) {
			step := tareCount{value: 100, enabled: 1000, running: 1000}
			if attr.kind == 0 && attr.config == 0 {
				step.running = 500
			}
			return tareKernelReadings(step), 0
		}
	}
}

var tareKernelFiles []*os.File // or they would be closed

// tareKernelReadings is a counter that counts so much from each reading to the next.
func tareKernelReadings(step tareCount) int {
	f, err := os.CreateTemp("", "readings")
	if err != nil {
		panic(err)
	}
	os.Remove(f.Name())
	var c tareCount
	for range 1000 {
		c.add(step)
		f.Write((*[unsafe.Sizeof(c)]byte)(unsafe.Pointer(&c))[:])
	}
	f.Seek(0, 0)
	tareKernelFiles = append(tareKernelFiles, f)
	return int(f.Fd())
}
