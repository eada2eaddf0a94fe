package arrays

import "testing"

// Each operation on each type does what it is called.
func TestRight(t *testing.T) {
	missing := 0
	for _, op := range Ops() {
		for _, typ := range Types() {
			s, ok := Find(op, typ)
			if why := Missing(op, typ); why != "" {
				if ok {
					t.Errorf("%s of %s was found, though %s", op, typ, why)
				}
				missing++
				continue
			}
			if !ok {
				t.Errorf("no %s of %s", op, typ)
				continue
			}
			for _, size := range []int{16, 48, 80, 1 << 10} {
				run, right := s.New(size)
				if right() {
					t.Errorf("%s of %s, %d bytes: right before it ran", op, typ, size)
				}
				if run(1); !right() {
					t.Errorf("%s of %s, %d bytes: wrong after it ran", op, typ, size)
				}
			}
		}
	}
	if _, ok := Find("clear", "complex"); ok {
		t.Error("found what there is not")
	}
	if got, want := len(All()), len(Ops())*len(Types())-missing; got != want {
		t.Errorf("%d subjects, want %d", got, want)
	}
}
