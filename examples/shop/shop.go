package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// shop is what customers do: log in, list, buy.
type shop struct {
	list *list

	mu     sync.Mutex
	tokens map[string]string // user by token
	sold   map[int]int       // number by item
}

func newShop(fresh time.Duration) *shop {
	return &shop{list: newList(fresh), tokens: map[string]string{}, sold: map[int]int{}}
}

func (s *shop) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", s.login)
	mux.HandleFunc("GET /items", s.items)
	mux.HandleFunc("POST /items/{id}", s.buy)
	return mux
}

func (s *shop) login(w http.ResponseWriter, r *http.Request) {
	var who struct{ User string }
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<10)).Decode(&who); err != nil || who.User == "" {
		http.Error(w, "who are you?", http.StatusBadRequest)
		return
	}
	token := fmt.Sprintf("%s-%x", who.User, time.Now().UnixNano())
	s.mu.Lock()
	s.tokens[token] = who.User
	s.mu.Unlock()
	answer(w, map[string]string{"token": token})
}

func (s *shop) items(w http.ResponseWriter, _ *http.Request) {
	answer(w, map[string]any{"items": s.list.cheapest()})
}

func (s *shop) buy(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	s.mu.Lock()
	defer s.mu.Unlock()
	switch user := s.tokens[r.Header.Get("Token")]; {
	case user == "":
		http.Error(w, "log in first", http.StatusUnauthorized)
	case err != nil || id < 0 || id >= stock:
		http.Error(w, "there is no such item", http.StatusNotFound)
	default:
		s.sold[id]++
		answer(w, map[string]any{"bought": id, "user": user})
	}
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}
