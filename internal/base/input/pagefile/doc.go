// Package pagefile puts record files into an HTML page and reads them out again, byte for byte.
//
//	err := pagefile.Write(page, "run.jsonl", record) // within the page's body
//
//	in := bufio.NewReader(file)
//	if pagefile.IsPage(in) {
//		records := pagefile.NewReader(in)
//	}
//
// A record is an element of one line, which the page's script can read, too:
//
//	<script type="application/gzip" class="tare-record" data-name="run.jsonl" data-bytes="5120" data-sha256="…">BASE64</script>
//
// data-bytes is the length of the record and data-sha256 its checksum, so that a page that was edited or cut off is
// recognized.
package pagefile
