package runner

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"example.com/suite/result"
)

// A journal is a text of lines, each a JSON object whose last member is a
// checksum over all that stands before it, the earlier lines included. A line
// that is cut off, changed, missing or out of order is noticed, and jq and grep
// can read the file all the same.
const (
	sealStart  = `,"crc":"`
	sealEnd    = `"}` + "\n"
	sealLength = len(sealStart) + 8 + len(sealEnd)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealed puts v as a line into buf, in place of what it holds. sum is the
// checksum of the line before, and of this one the one that is returned.
func sealed(buf *bytes.Buffer, v any, sum uint32) (uint32, error) {
	buf.Reset()
	e := json.NewEncoder(buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return sum, err
	}
	buf.Truncate(buf.Len() - len("}\n"))
	sum = crc32.Update(sum, castagnoli, buf.Bytes())
	fmt.Fprintf(buf, "%s%08x%s", sealStart, sum, sealEnd)
	return sum, nil
}

// unsealed is the object of a line, without its checksum. It writes into line.
func unsealed(line []byte, sum uint32) (object []byte, next uint32, ok bool) {
	body := len(line) - sealLength
	if body < 1 {
		return nil, sum, false
	}
	var said [4]byte
	seal := line[body:]
	_, err := hex.Decode(said[:], seal[len(sealStart):len(sealStart)+8])
	next = crc32.Update(sum, castagnoli, line[:body])
	if err != nil || !bytes.HasPrefix(seal, []byte(sealStart)) || !bytes.HasSuffix(seal, []byte(sealEnd)) ||
		uint32(said[0])<<24|uint32(said[1])<<16|uint32(said[2])<<8|uint32(said[3]) != next {
		return nil, sum, false
	}
	line[body] = '}'
	return line[:body+1], next, true
}

// readLines hands the object of each line to take, which must not keep it. It
// gives where the last whole line ends, and its checksum. A last line that is
// not whole was being written when the machine or the process died: it is left
// out. Any other one is an error with its number.
func readLines(r io.Reader, take func(object []byte) error) (end int64, sum uint32, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var line []byte
	for number := 1; ; number++ {
		if line, err = readLine(in, line[:0]); len(line) == 0 || err != nil && !errors.Is(err, io.EOF) {
			return end, sum, ignore(err, io.EOF)
		}
		length := int64(len(line))
		object, next, ok := unsealed(line, sum)
		if !ok {
			if _, more := in.Peek(1); errors.Is(more, io.EOF) {
				return end, sum, nil
			}
			return end, sum, fmt.Errorf("line %d is damaged", number)
		}
		if err := take(object); err != nil {
			return end, sum, fmt.Errorf("line %d: %w", number, err)
		}
		end, sum = end+length, next
	}
}

// readLine appends a line to buf, with its end where it has one.
func readLine(in *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		buf = append(buf, part...)
		switch {
		case len(buf) > result.MaxSize:
			return nil, fmt.Errorf("a line is longer than %d bytes", result.MaxSize)
		case !errors.Is(err, bufio.ErrBufferFull):
			return buf, err
		}
	}
}

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
