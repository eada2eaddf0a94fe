// Package document reads and fills Markdown documents.
//
//   - [Between] and [Replace] work on the text between two marks, <!-- NAME: begin --> and
//     <!-- NAME: end -->: what a program writes into a page that people write.
//   - [Blocks] finds the fenced blocks, and [Block.Steps] the commands in one with what each
//     of them printed. [Fill] runs them again, and [Include] copies files into blocks.
//   - [Links] and [Anchors] are where a page points to, and what may be pointed to.
//   - [Update] applies any of these to a file.
package document
