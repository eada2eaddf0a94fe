package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestShop: a customer logs in, lists, and buys; nobody else does.
func TestShop(t *testing.T) {
	server := httptest.NewServer(newShop(time.Hour).handler())
	defer server.Close()
	_, login := send(t, "POST", server.URL+"/login", `{"user":"ann"}`, "")
	token := strings.Split(login, `"`)[3]
	for _, c := range []struct {
		method, path, body, token string
		status                    int
		want                      string
	}{
		{"POST", "/login", `{"user":""}`, "", 400, "who are you?"},
		{"GET", "/items", "", "", 200, `{"items":[{"id":`},
		{"POST", "/items/7", "", token, 200, `{"bought":7,"user":"ann"}`},
		{"POST", "/items/7", "", "other", 401, "log in first"},
		{"POST", "/items/100000", "", token, 404, "no such item"},
	} {
		if status, got := send(t, c.method, server.URL+c.path, c.body, c.token); status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.path, status, got, c.status, c.want)
		}
	}
}

func send(t *testing.T, method, url, body, token string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Token", token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// TestCheapest: the list stays while it is fresh, in the order of prices.
func TestCheapest(t *testing.T) {
	l := newList(time.Hour)
	first := l.cheapest()
	for i := 1; i < len(first); i++ {
		if first[i].Price < first[i-1].Price {
			t.Errorf("item %d is cheaper than item %d", i, i-1)
		}
	}
	if second := l.cheapest(); &second[0] != &first[0] || len(first) != shown {
		t.Errorf("%d items, found again", len(first))
	}
}
