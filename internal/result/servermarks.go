package result

import "github.com/tarebench/tare/record"

func stoppedOf(p *record.ProcessMarks) int64 { return p.Stopped }
func majorOf(p *record.ProcessMarks) int64   { return p.Majflt }
func cpuOf(p *record.ProcessMarks) int64     { return p.CPU }
func rssOf(p *record.ProcessMarks) int64     { return p.RSS }

func delayOf(p *record.ProcessMarks) int64 {
	if p.Delay == nil {
		return 0
	}
	return *p.Delay
}

// sumServers adds up a figure of the server's processes.
func sumServers(m *IntervalMarks, of func(*record.ProcessMarks) int64) (sum int64) {
	for i := range m.Servers {
		sum += of(&m.Servers[i])
	}
	return sum
}

// ServerUse is what the server's processes took over a whole phase, where they were watched.
type ServerUse struct {
	Cores   float64 `json:"cores"`                   // that they kept busy
	Delay   int64   `json:"delay_ns"`                // time in which their threads waited for a processor, summed over the threads
	Stopped int64   `json:"stopped_ns"`              // by a signal or a debugger
	RSS     int64   `json:"rss_max"`                 // bytes
	Majflt  int64   `json:"majflt"`                  // page faults with input
	GCs     int64   `json:"gcs,omitempty"`           // garbage collections, if it was asked for them
	Pause   int64   `json:"gc_ns,omitempty"`         // of all of them
	Unknown bool    `json:"delay_unknown,omitempty"` // Delay is not known
}

// serverUse returns the sum over the intervals; nil if no process was watched and nothing was asked for.
func serverUse(all []IntervalMarks) *ServerUse {
	u, length, seen := &ServerUse{Unknown: true}, int64(0), false
	cpu := int64(0)
	for i := range all {
		m := &all[i]
		seen = seen || len(m.Servers) > 0 || m.ServerGC != nil
		length += m.Length
		cpu += sumServers(m, cpuOf)
		u.Delay, u.Stopped, u.Majflt = u.Delay+sumServers(m, delayOf), u.Stopped+sumServers(m, stoppedOf), u.Majflt+sumServers(m, majorOf)
		u.RSS = max(u.RSS, sumServers(m, rssOf))
		for k := range m.Servers {
			u.Unknown = u.Unknown && m.Servers[k].Delay == nil
		}
		if m.ServerGC != nil {
			u.GCs, u.Pause = u.GCs+m.ServerGC.Count, u.Pause+m.ServerGC.Pause
		}
	}
	if !seen || length <= 0 {
		return nil
	}
	u.Cores = float64(cpu) / float64(length)
	return u
}
