package queue

// A Waiter waits between attempts that find nothing to do. [Backoff] is one.
type Waiter interface {
	Worked(elements int) // elements were handed over since the last Wait
	Wait()
}

// batch is how many elements FillWait and DrainWait move before they check for more.
const batch = 64

// DrainWait takes elements and hands them to f for as long as more returns true, and
// returns how many. It calls more before each batch of at most 64 elements and before
// each wait, and w.Wait when the queue is empty. An element has left the queue when f gets
// it. When more returns false, elements may be left: call Drain to take those.
//
// DrainWait is for a consumer, and f must not take from the queue itself. It panics if
// w, more or f is nil.
func DrainWait[T any](q interface{ Drain(int, func(T)) int }, w Waiter, more func() bool, f func(T)) (n int) {
	checkWaiter("DrainWait", w)
	checkCallback("DrainWait", more == nil || f == nil)
	for more() {
		k := q.Drain(batch, f)
		n += k
		pauseAfter(w, k)
	}
	return n
}

// FillWait adds the elements that f returns for as long as more returns true, and
// returns how many. It calls more before each batch of at most 64 elements and before
// each wait, and w.Wait when the queue is full. f is called only when there is room for
// its element. The elements of a batch become visible together.
//
// FillWait is for a producer, and f must not add to the queue itself. It panics if w, more
// or f is nil.
func FillWait[T any](q interface{ Fill(int, func() T) int }, w Waiter, more func() bool, f func() T) (n int) {
	checkWaiter("FillWait", w)
	checkCallback("FillWait", more == nil || f == nil)
	for more() {
		k := q.Fill(batch, f)
		n += k
		pauseAfter(w, k)
	}
	return n
}

func checkWaiter(method string, w Waiter) {
	if w == nil {
		panic("queue: " + method + ": nil waiter")
	}
}

// pauseAfter waits if nothing was moved.
func pauseAfter(w Waiter, moved int) {
	if moved > 0 {
		w.Worked(moved)
		return
	}
	w.Wait()
}
