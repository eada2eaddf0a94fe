package env

import "strings"

// hypervisor names this machine's hypervisor: "" if none is detected, "vm" if its name is unknown.
//
// It checks what systemd-detect-virt checks (systemd, src/basic/virt.c), except the CPUID leaf that names the
// hypervisor on x86, which needs assembly. The clock sources of a paravirtualised kernel name most of them as
// well.
func (h host) hypervisor(info cpuInfo) string {
	if info.uml {
		return "uml"
	}
	release := strings.ToLower(h.get("proc/sys/kernel/osrelease"))
	if strings.Contains(release, "microsoft") || strings.Contains(release, "wsl") {
		return "wsl"
	}
	if strings.Contains(h.get("proc/xen/capabilities"), "control_d") {
		return "" // Xen's control domain has the real processors
	}
	product := h.get("sys/class/dmi/id/product_name")
	if strings.HasSuffix(product, ".metal") && !info.hypervisor {
		return "" // Amazon's bare metal has the vendor string of its virtual machines
	}
	if v := h.byFirmware(product); v != "" {
		return v
	}
	if v := h.byKernel(); v != "" {
		return v
	}
	if info.hypervisor {
		return "vm"
	}
	return ""
}

// vendors maps prefixes of DMI strings to hypervisors.
var vendors = []struct{ prefix, name string }{
	{"KVM", "kvm"},
	{"OpenStack", "kvm"},
	{"KubeVirt", "kvm"},
	{"Amazon EC2", "amazon"},
	{"QEMU", "qemu"},
	{"VMware", "vmware"},
	{"VMW", "vmware"},
	{"innotek GmbH", "virtualbox"},
	{"VirtualBox", "virtualbox"},
	{"Xen", "xen"},
	{"Bochs", "bochs"},
	{"Parallels", "parallels"},
	{"BHYVE", "bhyve"},
	{"Hyper-V", "hyper-v"},
	{"Apple Virtualization", "apple"},
	{"Google Compute Engine", "google"},
}

func (h host) byFirmware(product string) string {
	vendor := h.get("sys/class/dmi/id/sys_vendor")
	if vendor == "Microsoft Corporation" && product == "Virtual Machine" {
		return "hyper-v"
	}
	words := []string{
		product, vendor,
		h.get("sys/class/dmi/id/board_vendor"),
		h.get("sys/class/dmi/id/bios_vendor"),
		h.get("sys/class/dmi/id/product_version"),
	}
	for _, w := range words {
		for _, v := range vendors {
			if strings.HasPrefix(w, v.prefix) {
				return v.name
			}
		}
	}
	switch tree := h.get("proc/device-tree/hypervisor/compatible"); {
	case strings.HasPrefix(tree, "linux,kvm"):
		return "kvm"
	case strings.Contains(tree, "xen"):
		return "xen"
	case strings.Contains(tree, "vmware"):
		return "vmware"
	case tree != "":
		return "vm"
	}
	return ""
}

// byKernel returns the hypervisor that the kernel has detected.
func (h host) byKernel() string {
	if t := h.get("sys/hypervisor/type"); t != "" {
		return oneLine(t)
	}
	clocks := h.get("sys/devices/system/clocksource/clocksource0/available_clocksource")
	switch {
	case strings.Contains(clocks, "kvm-clock"):
		return "kvm"
	case strings.Contains(clocks, "hyperv"):
		return "hyper-v"
	}
	return ""
}

// container names the container around this process, "" if none is detected.
func (h host) container() string {
	switch {
	case h.getenv("KUBERNETES_SERVICE_HOST") != "":
		return "kubernetes"
	case h.exists("run/.containerenv"):
		return "podman"
	case h.exists(".dockerenv"):
		return "docker"
	}
	for _, name := range []string{h.get("run/systemd/container"), h.getenv("container")} {
		if name = oneLine(name); name != "" {
			return name
		}
	}
	return first(
		matchHint(h.get("proc/self/cgroup"), cgroupHints),
		matchHint(h.hostsFile(), hostsHints),
	)
}

type hint struct{ part, name string }

// Names of containers' control groups.
var cgroupHints = []hint{
	{"/kubepods", "kubernetes"},
	{"/docker/", "docker"},
	{"/docker-", "docker"},
	{"/libpod-", "podman"},
	{"/lxc/", "lxc"},
	{"/lxc.payload", "lxc"},
	{"/garden/", "garden"},
	{"/ecs/", "ecs"},
}

// Directories of the files that container runtimes mount over /etc/hosts.
var hostsHints = []hint{
	{"/pods/", "kubernetes"},
	{"/docker/containers/", "docker"},
	{"/containers/", "podman"},
	{"/containerd/", "containerd"},
}

func matchHint(text string, hints []hint) string {
	for _, h := range hints {
		if strings.Contains(text, h.part) {
			return h.name
		}
	}
	return ""
}

// hostsFile returns the file mounted over /etc/hosts, "" if there is none. Under a cgroup namespace every
// control group is called "/", but this mount still names the runtime. Other mounts do not: the host itself
// sees those of all its containers.
func (h host) hostsFile() string {
	for _, m := range parseMounts(h.get("proc/self/mountinfo")) {
		if m.point == "/etc/hosts" {
			return m.root
		}
	}
	return ""
}
