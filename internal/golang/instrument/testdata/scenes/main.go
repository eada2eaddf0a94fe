// Program scenes plays one scene for each way in which calls, goroutines and
// programs begin and end. Tests put probes into it.
package main

import (
	"fmt"
	"iter"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"time"
)

var scenes = map[string]func(n int){
	"shapes":    func(int) { shapes() },
	"exit":      func(int) { exits() },
	"kill":      stays,
	"deadlock":  func(int) { sleeps() },
	"crash":     func(int) { panics() },
	"close":     closes,
	"forever":   forever,
	"many":      many,
	"child":     child,
	"recycle":   recycle,
	"wide":      wide,
	"semantics": func(int) { semantics() },
	"goexit":    func(int) { goexits() },
	"env":       func(int) { fmt.Println(len(os.Getenv("TARE_WEAVE"))) },
	"alone":     func(n int) { alone(n) },
	"fits":      func(int) { limited(); println(deep(7_000)) },
	"unlimited": func(int) { limited(); debug.SetMaxStack(-1); println(deep(100_000)) },
	"beyond":    func(int) { limited(); println(deep(1_000_000)) },
	"recursive": func(int) { recursive() },
	"spins":     func(int) { spins() },
}

func main() {
	n := 0
	if len(os.Args) > 2 {
		n, _ = strconv.Atoi(os.Args[2])
	}
	scenes[os.Args[1]](n)
}

type value struct{}

func (value) Value()    {}
func (*value) Pointer() { value{}.Value() }

type box[E any] struct{ e E }

func (b *box[E]) Get() E { return b.e }

func apply[A, B any](a A, f func(A) B) B { return f(a) }

var global = initial()

func initial() int { return 7 }

func init() { leaf() }
func init() { leaf(); leaf() }

func a(n int) { b(n) }
func b(n int) {
	if n > 0 {
		a(n - 1)
	}
	leaf()
}

//go:noinline
func leaf() {}

func factorial(n int) int {
	if n < 2 {
		return 1
	}
	return n * factorial(n-1)
}

func shapes() {
	(&value{}).Pointer()
	(&box[int]{}).Get()
	(&box[string]{}).Get()
	apply(1, func(int) string { return "" })
	a(3)
	factorial(5)
	recovers()
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() { defer wg.Done(); leaf() }()
	}
	wg.Wait()
	next, stop := iter.Pull(numbers)
	next()
	next()
	stop()
	done := make(chan bool)
	time.AfterFunc(0, func() { timer(done) })
	<-done
}

func timer(done chan bool) { done <- true }

func numbers(yield func(int) bool) {
	for i := 0; yield(i); i++ {
		leaf()
	}
}

func panics() { panic("scene") }

func recovers() {
	defer func() { recover(); value{}.Value() }()
	panics()
}

func exits() { leaf(); os.Exit(3) }

func goexits() {
	done := make(chan bool)
	go func() { defer close(done); quits() }()
	<-done
}

func quits() {
	defer leaf()
	runtime.Goexit()
}

func sleeps() { leaf(); select {} }

func stays(n int) {
	for range n {
		leaf()
	}
	fmt.Println("ready")
	time.Sleep(time.Hour)
}

func closes(n int) {
	for fd := uintptr(0); fd < 64; fd++ {
		if fd != 1 {
			os.NewFile(fd, "").Close()
		}
	}
	for range n {
		leaf()
	}
}

func forever(n int) {
	var begun sync.WaitGroup
	for range n {
		begun.Add(1)
		go waits(&begun)
	}
	begun.Wait()
}

func waits(begun *sync.WaitGroup) { leaf(); begun.Done(); select {} }

func many(n int) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go worker(n/8, &wg)
	}
	wg.Wait()
}

func worker(n int, wg *sync.WaitGroup) {
	for range n {
		leaf()
	}
	wg.Done()
}

func child(n int) {
	leaf()
	if n > 0 {
		out, err := exec.Command(os.Args[0], "child", "0").CombinedOutput()
		fmt.Println(string(out), err)
	}
}

func recycle(n int) {
	for range n {
		done := make(chan bool)
		go func() { leaf(); close(done) }()
		<-done
	}
}

// wide has n functions' worth of calls, and as many paths.
func wide(n int) {
	if n > 0 {
		left(n - 1)
		right(n - 1)
	}
}
func left(n int)  { middle(n) }
func right(n int) { middle(n) }
func middle(n int) {
	leaf()
	if n > 0 {
		wide(n - 1)
	}
}

func alone(n int) {
	for range n {
		leaf()
	}
}

// semantics prints what a program can know of its own calls.
func semantics() {
	fmt.Println(where())
	fmt.Println(nested())
	defer func() { fmt.Println("last", recover()) }()
	defer handler("second")
	defer func() {
		defer handler("first")
		panic("again")
	}()
	func() {
		defer handler("own")
		panics()
	}()
	panic("end")
}

func where() string {
	_, file, line, _ := runtime.Caller(0)
	_, _, above, _ := runtime.Caller(1)
	return fmt.Sprint(file, " ", line, " ", above)
}

func handler(name string) { fmt.Println(name, recover()) }

func nested() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("got %v", r)
			returns() // while there is no panic any more
		}
	}()
	defer func() { returns() }() // while there is one
	panics()
	return nil
}

func returns() { leaf() }

// limited sets a limit of the stack, and prints those before.
func limited() { println(debug.SetMaxStack(1<<20), debug.SetMaxStack(1<<20)) }

//go:noinline
func deep(n int) int {
	if n == 0 {
		return 0
	}
	var a [4]int
	a[n%4] = n
	return deep(n-1) + a[n%4] - n + 1
}

var sink = uint64(len(os.Args))

//go:noinline
func spin(n int) {
	for range n {
		sink = sink*6364136223846793005 + 1442695040888963407
	}
}

// spins calls a function that does nothing, and then as often one of a microsecond.
func spins() {
	for range 300_000 {
		spin(0)
	}
	for range 300_000 {
		spin(1000)
	}
}

// recursive makes calls ten deep, and prints how long they took in ns. The first call
// of cold is much longer than all others.
func recursive() {
	for i := range 1000 {
		cold(i)
	}
	fmt.Println(once(down).Nanoseconds(), once(even).Nanoseconds())
}

func work() { spin(300) }

//go:noinline
func down(n int) {
	work()
	if n > 1 {
		down(n - 1)
	}
}

//go:noinline
func even(n int) {
	work()
	if n > 1 {
		odd(n - 1)
	}
}

//go:noinline
func odd(n int) {
	work()
	if n > 1 {
		even(n - 1)
	}
}

//go:noinline
func once(f func(int)) time.Duration {
	begin := time.Now()
	for range 20_000 {
		f(10)
	}
	return time.Since(begin)
}

//go:noinline
func cold(i int) {
	if i == 0 {
		time.Sleep(100 * time.Millisecond)
	}
}
