package why

// Hunk is a part of a file that differs between the sides. Its lines begin with ' ', '-' or '+'.
type Hunk struct {
	File   string   `json:"file"`   // on the new side; on the old one if it was removed
	Header string   `json:"header"` // as git writes it, such as "@@ -3,4 +3,5 @@ func F() {"
	Lines  []string `json:"lines"`
	Left   int      `json:"left_out,omitempty"` // lines before and after those
}
