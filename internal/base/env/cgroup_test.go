package env

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestParseQuota(t *testing.T) {
	tests := []struct {
		text string
		want float64
	}{
		{"150000 100000", 1.5},
		{"max 100000", 0},
		{"-1 100000", 0},
		{"0 100000", 0},
		{"100000 0", 0},
		{"100000", 0},
		{"", 0},
		{"99999999999999999999 1", 0},
		{"a b c", 0},
	}
	for _, tt := range tests {
		if got := parseQuota(tt.text); got != tt.want {
			t.Errorf("parseQuota(%q) = %v, want %v", tt.text, got, tt.want)
		}
	}
}

func TestClimb(t *testing.T) {
	tests := []struct {
		name  string
		mount mount
		group string
		want  []string
	}{
		{"whole hierarchy", mount{root: "/", point: "/sys/fs/cgroup"}, "/a/b",
			[]string{"sys/fs/cgroup/a/b", "sys/fs/cgroup/a", "sys/fs/cgroup"}},
		{"own namespace", mount{root: "/", point: "/sys/fs/cgroup"}, "/", []string{"sys/fs/cgroup"}},
		{"part of it", mount{root: "/docker/ab", point: "/cg"}, "/docker/ab/x", []string{"cg/x", "cg"}},
		{"exactly it", mount{root: "/docker/ab", point: "/cg"}, "/docker/ab", []string{"cg"}},
		{"name alike", mount{root: "/docker/ab", point: "/cg"}, "/docker/abc", []string{"cg"}},
		{"outside", mount{root: "/docker/ab", point: "/cg"}, "/other", []string{"cg"}},
		{"above", mount{root: "/", point: "/cg"}, "/../../other", []string{"cg"}},
		{"mounted at the root", mount{root: "/", point: "/"}, "/a", []string{"a", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := groupDirs(tt.mount, tt.group); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestParseMounts(t *testing.T) {
	const text = `36 35 98:0 /mnt1 /with\040blank\134 rw,noatime master:1 shared:2 - ext3 /dev/root rw,errors=continue
37 35 0:1 / /x rw - cgroup cgroup rw,cpu,cpuacct
38 35 0:1 / /y rw - tmpfs
short - x
no dash
`
	got := parseMounts(text)
	if len(got) != 3 {
		t.Fatalf("%d mounts: %+v", len(got), got)
	}
	if m := got[0]; m.root != "/mnt1" || m.point != `/with blank\` || m.fstype != "ext3" {
		t.Errorf("first is %+v", m)
	}
	if m := got[1]; !slices.Equal(m.options, []string{"rw", "cpu", "cpuacct"}) {
		t.Errorf("second is %+v", m)
	}
}

func TestContainer(t *testing.T) {
	tests := []struct {
		name string
		tree map[string]string
		env  map[string]string
		want string
	}{
		{"none", nil, nil, ""},
		{"docker", map[string]string{".dockerenv": ""}, nil, "docker"},
		{"podman", map[string]string{"run/.containerenv": "engine=podman"}, nil, "podman"},
		{"kubernetes", map[string]string{".dockerenv": ""}, map[string]string{"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, "kubernetes"},
		{"nspawn", map[string]string{"run/systemd/container": "systemd-nspawn\n"}, nil, "systemd-nspawn"},
		{"environment", nil, map[string]string{"container": "lxc"}, "lxc"},
		{"cgroup 1", map[string]string{"proc/self/cgroup": "3:cpu:/docker/4f0e\n"}, nil, "docker"},
		{"cgroup 2", map[string]string{"proc/self/cgroup": "0::/system.slice/docker-4f0e.scope\n"}, nil, "docker"},
		{"hosts file", map[string]string{"proc/self/mountinfo": "1 2 3:4 /var/lib/kubelet/pods/x/etc-hosts /etc/hosts rw - ext4 /dev/x rw\n"}, nil, "kubernetes"},
		{"the host of containers", map[string]string{
			"proc/self/cgroup":    "0::/user.slice/user-1000.slice\n",
			"proc/self/mountinfo": "1 2 3:4 / /var/lib/docker/containers/x/mounts rw - ext4 /dev/x rw\n",
		}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := fakeHost(tree(tt.tree))
			h.getenv = func(k string) string { return tt.env[k] }
			if got := h.container(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHypervisor(t *testing.T) {
	const dmi = "sys/class/dmi/id/"
	flag := cpuInfo{hypervisor: true}
	tests := []struct {
		name string
		tree map[string]string
		info cpuInfo
		want string
	}{
		{"none", nil, cpuInfo{}, ""},
		{"laptop", map[string]string{dmi + "sys_vendor": "LENOVO"}, cpuInfo{}, ""},
		{"flag only", nil, flag, "vm"},
		{"firecracker", map[string]string{"sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc kvm-clock"}, flag, "kvm"},
		{"hyper-v clock", map[string]string{"sys/devices/system/clocksource/clocksource0/available_clocksource": "hyperv_clocksource_tsc_page"}, flag, "hyper-v"},
		{"qemu", map[string]string{dmi + "sys_vendor": "QEMU\n"}, flag, "qemu"},
		{"vmware", map[string]string{dmi + "product_name": "VMware Virtual Platform"}, flag, "vmware"},
		{"azure", map[string]string{dmi + "sys_vendor": "Microsoft Corporation", dmi + "product_name": "Virtual Machine"}, flag, "hyper-v"},
		{"surface", map[string]string{dmi + "sys_vendor": "Microsoft Corporation", dmi + "product_name": "Surface Laptop 4"}, cpuInfo{}, ""},
		{"amazon", map[string]string{dmi + "sys_vendor": "Amazon EC2", dmi + "product_name": "c6g.xlarge"}, cpuInfo{}, "amazon"},
		{"amazon metal", map[string]string{dmi + "sys_vendor": "Amazon EC2", dmi + "product_name": "c6g.metal"}, cpuInfo{}, ""},
		{"xen", map[string]string{"sys/hypervisor/type": "xen"}, flag, "xen"},
		{"xen's own domain", map[string]string{"sys/hypervisor/type": "xen", "proc/xen/capabilities": "control_d"}, flag, ""},
		{"arm guest", map[string]string{"proc/device-tree/hypervisor/compatible": "linux,kvm\x00"}, cpuInfo{}, "kvm"},
		{"wsl", map[string]string{"proc/sys/kernel/osrelease": "5.15.90.1-microsoft-standard-WSL2"}, flag, "wsl"},
		{"user mode", nil, cpuInfo{uml: true}, "uml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fakeHost(tree(tt.tree)).hypervisor(tt.info); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// tree makes a file system of texts.
func tree(files map[string]string) fstest.MapFS {
	t := fstest.MapFS{}
	for path, text := range files {
		t[path] = &fstest.MapFile{Data: []byte(text)}
	}
	return t
}

// FuzzLimits feeds both files that say where the limits are.
func FuzzLimits(f *testing.F) {
	for _, m := range machines {
		t := readTree(f, m)
		if t["proc/self/cgroup"] != nil {
			f.Add(string(t["proc/self/cgroup"].Data), string(t["proc/self/mountinfo"].Data))
		}
	}
	f.Add("0::/../x\n", "1 2 3:4 / /sys/../../x rw - cgroup2 x rw\n")
	f.Fuzz(func(t *testing.T, groups, mounts string) {
		g, m := parseCgroup(groups), parseMounts(mounts)
		for _, controller := range []string{"cpu", "memory"} {
			dirs := g.dirs(controller, m)
			if len(dirs) > maxDepth+1 {
				t.Errorf("%d directories", len(dirs))
			}
			for _, d := range dirs {
				bad := strings.HasPrefix(d, "/") || slices.Contains(strings.Split(d, "/"), "..")
				if bad || d != "" && !fs.ValidPath(strings.ToValidUTF8(d, "?")) {
					t.Errorf("directory %q", d)
				}
			}
		}
		h := fakeHost(tree(map[string]string{"proc/self/cgroup": groups, "proc/self/mountinfo": mounts}))
		if l := h.limits(); l.cpus < 0 || l.memory < 0 {
			t.Errorf("limits %+v", l)
		}
		h.container()
	})
}
