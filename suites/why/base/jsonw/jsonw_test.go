package jsonw

import (
	"encoding/json"
	"strconv"
	"testing"
)

func order(items int) *Order {
	o := &Order{ID: 4711, Customer: "Ada \"the first\" Lovelace", Note: "leave it\nat the door\x01"}
	for i := range items {
		o.Items = append(o.Items, Item{Name: "part number " + strconv.Itoa(i), Count: int64(i), Cents: int64(1000 + 37*i)})
	}
	return o
}

func TestWrite(t *testing.T) {
	var w Writer
	order(2).Write(&w)
	var got struct {
		ID             int64
		Customer, Note string
		Item           struct {
			Name  string
			Cents int64
		}
	}
	if err := json.Unmarshal(w.Bytes(), &got); err != nil {
		t.Fatalf("%v: %s", err, w.Bytes())
	}
	o := order(2)
	if got.ID != o.ID || got.Customer != o.Customer || got.Note != o.Note || got.Item.Name != "part number 1" || got.Item.Cents != 1037 {
		t.Errorf("read %+v", got)
	}
}

func BenchmarkWrite(b *testing.B) {
	o := order(20)
	var w Writer
	for b.Loop() {
		w.Reset()
		o.Write(&w)
	}
}
