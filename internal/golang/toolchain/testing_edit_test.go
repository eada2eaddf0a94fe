package toolchain

import (
	"go/format"
	"os"
	"strings"
	"testing"
)

// installed is the text of testing/benchmark.go.
func installed(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(local(t).src("testing/" + benchmarkFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRewrite: nothing is changed but what is inserted, and no line moves.
func TestRewrite(t *testing.T) {
	src := installed(t)
	got, err := rewrite(src)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := rewrite(src); err != nil || again != got {
		t.Errorf("another text the second time (%v)", err)
	}
	if _, err := format.Source([]byte(got)); err != nil {
		t.Error(err)
	}
	want, have := strings.Split(src, "\n"), strings.Split(got, "\n")
	if len(want) != len(have) {
		t.Fatalf("%d lines became %d", len(want), len(have))
	}
	changed := 0
	for i, line := range have {
		if line == want[i] {
			continue
		}
		changed++
		back := line
		for _, undo := range [][2]string{
			{"; " + hookField, ""}, {"tare: b.tare, ", ""}, {" tareReset(b);", ""}, {"tareStart(b); ", ""}, {"tareStop(b); ", ""}, {"tareBefore(b, n); ", ""},
			{"; tareAfter(b)", ""}, {"tareLive(b); ", ""}, {"tareFirst(b)", "int64(1)"}, {"tareLoop(b)", "1"},
			{"tareRun1(b)", "b.run1()"}, {"tareDone(b, b.doBench())", "b.doBench()"},
		} {
			back = strings.Replace(back, undo[0], undo[1], 1)
		}
		if back != want[i] {
			t.Errorf("line %d: %q became %q", i+1, want[i], line)
		}
	}
	if changed != 13 {
		t.Errorf("%d lines changed, want 13", changed)
	}
	if _, err := rewrite(got); err == nil {
		t.Error("hooks were put into what has them")
	}
}

// TestRewriteRefuses: without one of the statements, or with one more, there is
// no place for hooks.
func TestRewriteRefuses(t *testing.T) {
	src := installed(t)
	for _, p := range hookedMethods {
		at := strings.Index(src, ") "+p.method+"(")
		if at < 0 {
			t.Fatalf("no method %s", p.method)
		}
		head, rest := src[:at], src[at:]
		renamed := head + strings.Replace(rest, p.method, p.method+"X", 1)
		if _, err := rewrite(renamed); err == nil || !strings.Contains(err.Error(), p.method) {
			t.Errorf("without %s: %v", p.method, err)
		}
		for _, st := range p.steps {
			stmt := strings.TrimSuffix(st.stmt, "…")
			if !strings.Contains(rest, stmt) {
				t.Fatalf("%s: no %q", p.method, stmt)
			}
			for what, text := range map[string]string{
				"other":   head + strings.Replace(rest, stmt, other(stmt), 1),
				"doubled": head + strings.Replace(rest, stmt, doubled(stmt), 1),
			} {
				_, err := rewrite(text)
				if err == nil || !strings.Contains(err.Error(), p.method) {
					t.Errorf("%s, %q %s: %v", p.method, st.stmt, what, err)
				}
			}
		}
	}
	for what, text := range map[string]string{
		"no Go":    "package testing\n\nfunc {",
		"no B":     strings.Replace(src, "type B struct", "type BB struct", 1),
		"B is int": strings.Replace(src, "type B struct", "type B int\n\ntype BB struct", 1),
	} {
		if _, err := rewrite(text); err == nil {
			t.Error(what)
		}
	}
}

// other is a statement of the same kind that means something else.
func other(stmt string) string {
	for _, head := range []string{"if ", "for "} {
		if rest, ok := strings.CutPrefix(stmt, head); ok && head == "if " {
			return head + "true && " + rest
		} else if ok {
			return head + "m, " + strings.Replace(rest, ":= int64(1)", ":= int64(2), int64(2)", 1)
		}
	}
	if stmt == "return false" {
		return "return (false)"
	}
	if left, right, ok := strings.Cut(stmt, "= &B{"); ok {
		return left + "= &BB{" + right
	}
	return "func() { " + stmt + " }()" // what is in functions is not looked at
}

// doubled is a statement twice.
func doubled(stmt string) string {
	switch {
	case strings.HasPrefix(stmt, "if "):
		return stmt + " { println() }; " + stmt
	case strings.HasPrefix(stmt, "for "):
		return stmt + " { println() }; " + stmt
	case strings.HasSuffix(stmt, "{"):
		return stmt + "}; " + stmt
	}
	return stmt + "; " + stmt
}
