package env

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX.
type memoryStatus struct {
	length       uint32
	memoryLoad   uint32
	total, avail uint64
	_            [5]uint64 // page file, virtual
}

// systemFacts asks the Windows API. It knows no hypervisor: what it offers says
// "present" on bare metal, too, once Hyper-V is installed.
func systemFacts() facts {
	v := windows.RtlGetVersion()
	f := facts{
		kernel: fmt.Sprintf("%d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber),
		cpu:    os.Getenv("PROCESSOR_IDENTIFIER"),
	}
	status := memoryStatus{}
	status.length = uint32(unsafe.Sizeof(status))
	proc := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if done, _, _ := proc.Call(uintptr(unsafe.Pointer(&status))); done != 0 {
		f.memory = int64(status.total)
	}
	return f
}
