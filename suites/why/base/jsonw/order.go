package jsonw

// An Order is what the benchmark writes.
type Order struct {
	ID       int64
	Customer string
	Note     string
	Items    []Item
}

// An Item is one line of an order.
type Item struct {
	Name  string
	Count int64
	Cents int64
}

// Write writes the order as an object.
func (o *Order) Write(w *Writer) {
	w.Open()
	w.Key("id")
	w.Int(o.ID)
	w.Key("customer")
	w.String(o.Customer)
	w.Key("note")
	w.String(o.Note)
	for i := range o.Items {
		item := &o.Items[i]
		w.Key("item")
		w.Open()
		w.Key("name")
		w.String(item.Name)
		w.Key("count")
		w.Int(item.Count)
		w.Key("cents")
		w.Int(item.Cents)
		w.Close()
	}
	w.Close()
}
