package env

import "golang.org/x/sys/unix"

// systemFacts asks sysctl.
func systemFacts() facts {
	var f facts
	f.kernel, _ = unix.Sysctl("kern.osrelease")
	f.cpu, _ = unix.Sysctl("machdep.cpu.brand_string")
	if n, err := unix.SysctlUint64("hw.memsize"); err == nil {
		f.memory = int64(n)
	}
	if n, err := unix.SysctlUint32("kern.hv_vmm_present"); err == nil && n != 0 {
		f.hypervisor = "vm"
	}
	return f
}
