package testing

import (
	"runtime"
	"strconv"
	"strings"
)

// tareAllocWriter writes what was counted as a JSON object:
//
//	{"objects":3,"bytes":64,"lost_objects":0,"lost_bytes":0,
//	 "stacks":[{"t":"int","s":16,"o":3,"f":[0,1]}],
//	 "frames":[{"n":"runtime.newobject","p":"/go/src/runtime/malloc.go","l":1800},{"n":"m.F","p":"/m/m.go","l":7}]}
//
// A stack has the numbers of its frames, innermost first, those of the runtime's allocator included.
type tareAllocWriter struct {
	json   tareLine
	frames tareLine
	number map[tareAllocFrame]int
}

type tareAllocFrame struct {
	fn, file string
	line     int
}

func (w *tareAllocWriter) write(s *tareAllocSeen) []byte {
	w.number = map[tareAllocFrame]int{}
	w.json = append(w.json, '{')
	w.json.int("objects", int64(s.objects))
	w.json.int("bytes", int64(s.bytes))
	w.json.int("lost_objects", int64(s.lostObjects))
	w.json.int("lost_bytes", int64(s.lostBytes))
	w.json.key("stacks")
	w.json = append(w.json, '[')
	for i := range s.all {
		if i > 0 {
			w.json = append(w.json, ',')
		}
		w.stack(&s.all[i])
	}
	w.json = append(w.json, ']')
	w.json.key("frames")
	w.json = append(append(append(w.json, '['), w.frames...), ']')
	w.json.close()
	return w.json
}

func (w *tareAllocWriter) stack(a *runtime.TareAlloc) {
	w.json = append(w.json, '{')
	w.json.text("t", a.Type)
	w.json.int("s", int64(a.Size))
	w.json.int("o", int64(a.Objects))
	w.json.key("f")
	w.json = append(w.json, '[')
	frames, first := runtime.CallersFrames(a.Stack), true
	for more := len(a.Stack) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if strings.HasPrefix(f.Function, "runtime.tareAlloc") || f.Function == "runtime.postMallocgcDebug" {
			continue
		}
		if !first {
			w.json = append(w.json, ',')
		}
		first = false
		w.json = strconv.AppendInt(w.json, int64(w.frame(tareAllocFrame{f.Function, f.File, f.Line})), 10)
	}
	w.json = append(w.json, ']', '}')
}

// frame returns the number of a frame and writes a new one.
func (w *tareAllocWriter) frame(f tareAllocFrame) int {
	n, ok := w.number[f]
	if !ok {
		n = len(w.number)
		w.number[f] = n
		if n > 0 {
			w.frames = append(w.frames, ',')
		}
		w.frames = append(w.frames, '{')
		w.frames.text("n", f.fn)
		w.frames.text("p", f.file)
		w.frames.int("l", int64(f.line))
		w.frames.close()
	}
	return n
}
