package footprint

import (
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// A sync.Map is a tree (internal/sync/hashtriemap.go in Go's sources). Its pointers
// have the type of the header that leaves and branches share; a flag in it
// distinguishes them. trieLeaf repeats the type of a leaf, which is not accessible.
type trieLeaf struct {
	isLeaf   bool
	overflow *trieLeaf // another with the same hash
	key      any
	value    any
}

// trie says how sync.Maps are walked.
type trie struct {
	leaf, branch *plan
	root         uintptr // offset of the pointer to the first branch
}

// isTrieNode reports whether a type is the header of leaves and branches.
func isTrieNode(t reflect.Type) bool {
	return t.PkgPath() == "internal/sync" && strings.HasPrefix(t.Name(), "node[") &&
		t.Size() == 1 && t.Kind() == reflect.Struct && t.NumField() == 1 && t.Field(0).Type.Kind() == reflect.Bool
}

// isTrie reports whether a type is the tree.
func isTrie(t reflect.Type) bool {
	return t.PkgPath() == "internal/sync" && strings.HasPrefix(t.Name(), "HashTrieMap[")
}

// findTrie finds the parts of sync.Map by their names. It returns false if sync.Map
// has other parts.
func (w *walk) findTrie() (ok bool) {
	if w.trie.leaf != nil {
		return true
	}
	m, ok := reflect.TypeFor[sync.Map]().FieldByName("m")
	if !ok || m.Type.Kind() != reflect.Struct {
		return false
	}
	root, ok := m.Type.FieldByName("root")
	if !ok {
		return false
	}
	branch := atomicTarget(root.Type)
	if branch == nil {
		return false
	}
	w.trie = trie{
		leaf:   w.plan(reflect.TypeFor[trieLeaf]()),
		branch: w.plan(branch),
		root:   m.Offset + root.Offset + root.Type.Size() - wordBytes,
	}
	w.trie.leaf.value = w.newKind(kind{label: "sync.Map entry", pointers: true})
	w.trie.branch.value = w.newKind(kind{label: "sync.Map branch", pointers: true})
	return true
}

func (w *walk) syncMap(m unsafe.Pointer) {
	if w.layouts.syncMap && w.findTrie() {
		if p := *(*unsafe.Pointer)(unsafe.Add(m, w.trie.root)); p != nil {
			w.one(p, w.trie.branch)
		}
		return
	}
	w.gaps[w.gap("entries of a sync.Map of this version of Go", "")].Count++
	anything := w.plan(reflect.TypeFor[any]())
	(*sync.Map)(m).Range(func(k, v any) bool {
		w.push(unsafe.Pointer(&[2]any{k, v}), anything, 2)
		return true
	})
}

func (w *walk) trieNode(p unsafe.Pointer) {
	if *(*bool)(p) {
		w.one(p, w.trie.leaf)
	} else {
		w.one(p, w.trie.branch)
	}
}

// syncMapLayoutKnown reports whether the entries of a test map are where the known
// layout places them.
func syncMapLayoutKnown() bool {
	w := newWalk(runtimeLayouts{syncMap: true}, nil)
	if !w.findTrie() {
		return false
	}
	var m sync.Map
	const n = 1000
	for i := range n {
		m.Store(i, -i)
	}
	m.Delete(0)
	found := 0
	var visit func(branch unsafe.Pointer) bool
	visit = func(branch unsafe.Pointer) bool {
		w.prepare(w.trie.branch)
		for _, e := range w.trie.branch.edges {
			p := *(*unsafe.Pointer)(unsafe.Add(branch, e.offset))
			if e.what != toNode || p == nil {
				continue
			}
			if !*(*bool)(p) {
				if !visit(p) {
					return false
				}
				continue
			}
			for leaf := (*trieLeaf)(p); leaf != nil; leaf = leaf.overflow {
				if k, ok := leaf.key.(int); !ok || leaf.value != -k {
					return false
				}
				found++
			}
		}
		return true
	}
	root := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(&m), w.trie.root))
	return visit(root) && found == n-1
}
