package pegs

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestCalculator(t *testing.T) {
	for source, want := range map[string]string{
		"1+2*3":        "(1 + (2 * 3)) = 7",
		"(1 + 2) * 3":  "((1 + 2) * 3) = 9",
		"8-2-1":        "((8 - 2) - 1) = 5",
		"((7))/2":      "(7 / 2) = 3.5",
		formula(1):     "(1 * (2 + (1 - 0.5))) = 2.5",
		"12.5*4 - 0.5": "((12.5 * 4) - 0.5) = 49.5",
	} {
		if got, err := answer(nil, source); got != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", source, got, err, want)
		}
	}
	for _, source := range []string{"", "1+", "(1", "1)", "1 2", "1..2", "x", "()", "é"} {
		if got, err := answer(nil, source); err == nil {
			t.Errorf("%q: %q, want an error", source, got)
		}
	}
}

func TestShop(t *testing.T) {
	s := newShop(10)
	for _, test := range []struct {
		order  string
		status int
		want   string
	}{
		{`[{"article":"article-0","count":2},{"article":"article-1","count":1}]`, http.StatusOK,
			`{"lines":[{"article":"article-1","count":1,"cents":8019},{"article":"article-0","count":2,"cents":200}],"cents":8219}`},
		{`[]`, http.StatusOK, `{"lines":[],"cents":0}`},
		{`[{"article":"elephant","count":1}]`, http.StatusBadRequest, `no such article: "elephant"`},
		{`{`, http.StatusBadRequest, "unexpected EOF"},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(test.order)))
		if got := strings.TrimSpace(w.Body.String()); w.Code != test.status || got != test.want {
			t.Errorf("%s: %d %s, want %d %s", test.order, w.Code, got, test.status, test.want)
		}
	}
}

// Each article that an order may name is there, whatever its size.
func TestOrdersOfAllSizesCanBeMet(t *testing.T) {
	for _, articles := range []int{1, 10, 1000} {
		var order []wanted
		if err := json.Unmarshal(ordered(nil, articles), &order); err != nil {
			t.Fatal(err)
		}
		if _, err := newShop(10*articles).price(t.Context(), order); err != nil {
			t.Error(err)
		}
	}
}
