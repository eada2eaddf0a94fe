package env

import "strings"

// hypervisor names the hypervisor under this machine: "" if none shows, "vm" if
// one shows without its name.
//
// The hints are those of systemd-detect-virt (systemd, src/basic/virt.c), except
// for the CPUID leaf that names the hypervisor on x86, which takes assembly; the
// clock sources that a paravirtualised kernel offers name most of them as well.
func (h host) hypervisor(info cpuInfo) string {
	if info.uml {
		return "uml"
	}
	release := strings.ToLower(h.get("proc/sys/kernel/osrelease"))
	if strings.Contains(release, "microsoft") || strings.Contains(release, "wsl") {
		return "wsl"
	}
	if strings.Contains(h.get("proc/xen/capabilities"), "control_d") {
		return "" // the host's own domain, which has the real processors
	}
	product := h.get("sys/class/dmi/id/product_name")
	if strings.HasSuffix(product, ".metal") && !info.hypervisor {
		return "" // Amazon's bare metal carries the vendor string of the virtual one
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

// vendors are prefixes of DMI strings and what they mean.
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

// byKernel asks what the kernel has adapted itself to.
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

// container names the container around this process, "" if none shows.
func (h host) container() string {
	switch {
	case h.getenv("KUBERNETES_SERVICE_HOST") != "":
		return "kubernetes"
	case h.exists("run/.containerenv"):
		return "podman"
	case h.exists(".dockerenv"):
		return "docker"
	}
	for _, said := range []string{h.get("run/systemd/container"), h.getenv("container")} {
		if said = oneLine(said); said != "" {
			return said
		}
	}
	return first(
		hinted(h.get("proc/self/cgroup"), cgroupHints),
		hinted(h.hostsFile(), hostsHints),
	)
}

type hint struct{ part, name string }

// What the runtimes call the control groups of their containers.
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

// Where the runtimes keep the files that they mount over /etc/hosts.
var hostsHints = []hint{
	{"/pods/", "kubernetes"},
	{"/docker/containers/", "docker"},
	{"/containers/", "podman"},
	{"/containerd/", "containerd"},
}

func hinted(text string, hints []hint) string {
	for _, h := range hints {
		if strings.Contains(text, h.part) {
			return h.name
		}
	}
	return ""
}

// hostsFile returns which file is mounted over /etc/hosts, "" if none is. Under
// a cgroup namespace every control group is called "/" and says nothing, but
// this mount remains. Other mounts are no hints: the host itself shows those of
// all of its containers.
func (h host) hostsFile() string {
	for _, m := range parseMounts(h.get("proc/self/mountinfo")) {
		if m.point == "/etc/hosts" {
			return m.root
		}
	}
	return ""
}
