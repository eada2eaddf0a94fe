package hostile

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

var (
	iter int
	said bool
)

// pipe is what package bench and the hook write to.
func pipe(b *testing.B) *os.File {
	fd, err := strconv.Atoi(os.Getenv("TARE_FD"))
	if err != nil {
		b.Fatal("no pipe:", err)
	}
	return os.NewFile(uintptr(fd), "pipe")
}

var kept3 []*os.File // a collected File would close the descriptor

func say(b *testing.B, text string) {
	f := pipe(b)
	kept3 = append(kept3, f)
	if _, err := f.WriteString(text); err != nil {
		b.Fatal(err)
	}
}

// PipeGood says what one may say, as an extension of testing would.
func BenchmarkPipeGood(b *testing.B) {
	leaf(b)
	if b.N == 1 {
		return
	}
	if iter++; iter == 1 {
		say(b, `{"k":"hello","v":1,"from":"bench"}`+"\n")
		say(b, `{"k":"warn","code":"coarse","text":"token=hunter2"}`+"\n")
		say(b, `{"k":"warn","about":"case","id":99,"code":"c","text":"t"}`+"\n"+`{"k":"warn","about":"run","id":99,"code":"r","text":"t"}`+"\n")
		say(b, `{"k":"tare","fork":99,"probe":2.5}`+"\n")
	}
	phase := "measure"
	if iter == 1 {
		phase = "warmup"
	}
	say(b, fmt.Sprintf(`{"k":"mark","name":%q,"iter":%d,"phase":%q,"ev":"begin","t":%d}`+"\n", b.Name(), iter, phase, iter*100))
	say(b, fmt.Sprintf(`{"k":"mark","name":%q,"iter":%d,"phase":%q,"ev":"end","t":%d,"ops":%d}`+"\n", b.Name(), iter, phase, iter*100+50, b.N))
	for _, role := range []string{"producer", "consumer"} {
		say(b, fmt.Sprintf(`{"k":"sample","fork":99,"iter":%d,"phase":%q,"role":%q,"t":%d,"ns":50,"ops":%d,"v":{"ns/op":2.5,"op/s":"+Inf"}}`+"\n",
			iter, phase, role, iter*100+50, b.N))
	}
	say(b, fmt.Sprintf(`{"k":"hist","name":"READ","iter":%d,"FORK":99,"tag":"service","data":"AA=="}`+"\n", iter))
	say(b, fmt.Sprintf(`{"k":"attach","fork":99,"case":99,"iter":%d,"name":"heap","media":"text/plain","data":"aGk="}`+"\n", iter))
}

// PipeWarmup sends no sample that counts.
func BenchmarkPipeWarmup(b *testing.B) {
	leaf(b)
	once(b, `{"k":"hello","v":1,"from":"hook"}`+"\n"+`{"k":"sample","iter":1,"phase":"warmup","t":1,"ns":5,"ops":1,"v":{"ns/op":5}}`+"\n")
}

func BenchmarkPipeGarbage(b *testing.B) {
	leaf(b)
	once(b, `{"k":"hello","v":1,"from":"hook"}`+"\n\n"+
		"garbage\n\x00\xff\n"+`{"k":"sample","iter":"x"}`+"\n"+`{"k":"sample","iter":0,"phase":"measure"}`+"\n"+
		`{"k":"run","v":1}`+"\n"+`{"k":"fork","id":1,"state":"ok"}`+"\n"+`{"k":"end","state":"completed"}`+"\n"+`{"k":"case","id":1}`+"\n"+
		`{"k":"bin","id":1}`+"\n"+`{"k":"look","stop":true}`+"\n"+`{"k":"hello","v":2}`+"\n"+`{"k":"later"}`+"\n"+`{"k":"mark","ev":"middle"}`+"\n"+
		`{"k":"warn","code":"ok","text":"this one is good"}`+"\r\n"+
		`{"k":"sample","iter":1,"pha`)
}

func BenchmarkPipeNoHello(b *testing.B) {
	leaf(b)
	once(b, `{"k":"warn","code":"x","text":"y"}`+"\n"+`{"k":"hello","v":1}`+"\n"+"more")
}

func BenchmarkPipeNewer(b *testing.B) {
	leaf(b)
	once(b, `{"k":"hello","v":2,"from":"bench"}`+"\n"+`{"k":"warn","code":"x","text":"y"}`+"\n")
}

// PipeBig writes 10 MB of samples.
func BenchmarkPipeBig(b *testing.B) {
	leaf(b)
	if said {
		return
	}
	said = true
	say(b, `{"k":"hello","v":1,"from":"bench"}`+"\n")
	line := `{"k":"sample","fork":0,"iter":2,"phase":"measure","t":1,"ns":5,"ops":1,"v":{"ns/op":5}}` + "\n"
	block := strings.Repeat(line, 1000)
	for sent := 0; sent < 10<<20; sent += len(block) {
		say(b, block)
	}
}

func BenchmarkPipeClose(b *testing.B) {
	leaf(b)
	if !said {
		said = true
		pipe(b).Close()
	}
}

func once(b *testing.B, text string) {
	if !said {
		said = true
		say(b, text)
	}
}
