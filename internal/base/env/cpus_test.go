package env

import (
	"slices"
	"testing"
)

func TestParseCPUList(t *testing.T) {
	tests := []struct {
		text string
		want []int
		ok   bool
	}{
		{"0", []int{0}, true},
		{"0-3,8", []int{0, 1, 2, 3, 8}, true},
		{"8,0-2,1-3\n", []int{0, 1, 2, 3, 8}, true},
		{"", nil, false},
		{"3-1", nil, false},
		{"-1", nil, false},
		{"0-99999999", nil, false},
		{"0-16383,0-16383,0-16383", nil, false},
		{"a", nil, false},
		{"1,", nil, false},
	}
	for _, tt := range tests {
		got, err := parseCPUList(tt.text)
		if !slices.Equal(got, tt.want) || (err == nil) != tt.ok {
			t.Errorf("parseCPUList(%q) = %v, %v", tt.text, got, err)
		}
	}
}

func TestCPUs(t *testing.T) {
	const online, status = "sys/devices/system/cpu/online", "proc/self/status"
	tests := []struct {
		name string
		tree map[string]string
		want cpus
	}{
		{"all", map[string]string{online: "0-7", status: "Cpus_allowed_list:\t0-7\n"}, cpus{8, 8}},
		{"pinned", map[string]string{online: "0-7", status: "Name:\tx\nCpus_allowed_list:\t3\n"}, cpus{8, 1}},
		{"allowed beyond the machine", map[string]string{online: "0-3", status: "Cpus_allowed_list:\t0-127\n"}, cpus{4, 4}},
		{"hole", map[string]string{online: "0,2", status: "Cpus_allowed_list:\t1-3\n"}, cpus{2, 1}},
		{"nothing in common", map[string]string{online: "0-1", status: "Cpus_allowed_list:\t5\n"}, cpus{2, 2}},
		{"no status", map[string]string{online: "0-1"}, cpus{2, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fakeHost(tree(tt.tree)).cpus(); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func FuzzCPUList(f *testing.F) {
	f.Add("0-3,8")
	f.Add("16383")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseCPUList(text)
		if err == nil && (len(all) == 0 || all[0] < 0 || all[len(all)-1] >= maxCPU || !slices.IsSorted(all)) {
			t.Errorf("%q: %v", text, all)
		}
	})
}
