package scenario

// A shape is what a value of a file may be. The table of shapes checks files, and it is the JSON
// Schema.
type shape struct {
	kind  kind
	short string  // for the schema
	keys  []field // of an object
	of    *shape  // of the elements of a list or a table
	form  string  // regular expression of a text, for the schema
	texts []string
}

type kind string

const (
	object   kind = "object"   // with known keys
	table    kind = "table"    // with names of the user
	list     kind = "list"     //
	text     kind = "text"     // one scalar
	number   kind = "number"   // a whole one
	boolean  kind = "boolean"  //
	anything kind = "anything" //
)

type field struct {
	name     string
	shape    *shape
	required bool
}

// methods are the keys of a step that name its method, in lower case, with its path.
var methods = [...]string{"get", "post", "put", "patch", "delete", "head", "options", "trace"}

const nameForm = `^[A-Za-z][A-Za-z0-9_.-]*$`

// fileShape returns the shape of a whole file.
func fileShape() *shape {
	names := func(short string) *shape { return &shape{kind: list, short: short, of: &shape{kind: text}} }
	return &shape{kind: object, short: "a load scenario of tare", keys: []field{
		{"target", &shape{kind: text, short: "the server: http://host[:port][/prefix]"}, true},
		{"allow", names("targets off this machine that may be loaded, as --allow-host"), false},
		{"env", names("environment variables that ${env.NAME} may read; their values are redacted everywhere"), false},
		{"insecure", &shape{kind: boolean, short: "true: the server's certificate is not checked"}, false},
		{"cookies", &shape{kind: boolean, short: "true: each transaction has cookies of its own, empty at first"}, false},
		{"data", &shape{kind: table, short: "files of rows, for ${NAME.COLUMN}", of: dataShape()}, false},
		{"arrivals", &shape{kind: text, short: "how transactions are due", texts: []string{"constant", "poisson"}}, false},
		{"load", &shape{kind: list, short: "phases, one after the other; without them a closed loop, unless --rate is given", of: phaseShape()}, false},
		{"transactions", &shape{kind: table, short: "what users do", of: transactionShape()}, true},
		{"slo", names("objectives, as --slo"), false},
	}}
}

func dataShape() *shape {
	return &shape{kind: object, keys: []field{
		{"file", &shape{kind: text, short: "a .csv or .jsonl file, relative to this one"}, true},
		{"order", &shape{kind: text, short: "of the rows; after the last comes the first", texts: []string{"sequential", "random"}}, false},
		{"header", &shape{kind: boolean, short: "false: the first line of a .csv file is a row, and columns are 1, 2, …"}, false},
	}}
}

func phaseShape() *shape {
	return &shape{kind: object, keys: []field{
		{"rate", &shape{kind: text, short: "transactions due: 500/s"}, false},
		{"ramp", &shape{kind: text, short: "a rate that changes: 0..500/s"}, false},
		{"spike", &shape{kind: text, short: "as rate, for a short time"}, false},
		{"pause", &shape{kind: boolean, short: "true: nothing is due"}, false},
		{"for", &shape{kind: text, short: "how long: 30s"}, true},
	}}
}

func transactionShape() *shape {
	return &shape{kind: object, keys: []field{
		{"weight", &shape{kind: number, short: "share among all transactions; default 1"}, false},
		{"steps", &shape{kind: list, short: "requests, one after the other", of: stepShape()}, true},
	}}
}

func stepShape() *shape {
	s := &shape{kind: object, keys: []field{{"name", &shape{kind: text, short: "of the step in results", form: nameForm}, true}}}
	for _, m := range methods {
		s.keys = append(s.keys, field{m, &shape{kind: text, short: "the path of the request, a template"}, false})
	}
	s.keys = append(s.keys,
		field{"method", &shape{kind: text, short: "of the request, if it is another; with path"}, false},
		field{"path", &shape{kind: text, short: "with method"}, false},
		field{"headers", &shape{kind: table, short: "of the request; values are templates", of: &shape{kind: text}}, false},
		field{"body", &shape{kind: text, short: "of the request, a template; or @FILE"}, false},
		field{"json", &shape{kind: anything, short: "the body as JSON; its strings are templates"}, false},
		field{"follow", &shape{kind: number, short: "redirects to follow at most; default 0"}, false},
		field{"capture", &shape{kind: table, short: "values of the response for later steps", of: captureShape()}, false},
		field{"check", checkShape(), false},
		field{"think", &shape{kind: text, short: "pause before the next step: 1s, or 200ms..2s"}, false},
		field{"slo", &shape{kind: list, short: "objectives of this step: p99<50ms, errors<1%", of: &shape{kind: text}}, false},
	)
	return s
}

func captureShape() *shape {
	return &shape{kind: object, keys: []field{
		{"json", &shape{kind: text, short: "a path such as items.0.id"}, false},
		{"header", &shape{kind: text, short: "the name of a header"}, false},
		{"regexp", &shape{kind: text, short: "a regular expression: its first group"}, false},
	}}
}

func checkShape() *shape {
	return &shape{kind: object, short: "what the response must be", keys: []field{
		{"status", &shape{kind: text, short: "as 200,301,400-404; default 200-299"}, false},
		{"body", &shape{kind: text, short: "a text in it, a template"}, false},
		{"regexp", &shape{kind: text, short: "a regular expression that matches it"}, false},
		{"json", &shape{kind: table, short: "values at paths such as items.0.id; they are templates", of: &shape{kind: text}}, false},
	}}
}
