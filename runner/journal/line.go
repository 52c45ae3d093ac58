package journal

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A journal is a text of lines, each a JSON object whose last member is a checksum of
// all text before it, the earlier lines included. A line that is cut off, changed,
// missing or out of order is noticed, and jq and grep can still read the file.
const (
	sealStart  = `,"crc":"`
	sealEnd    = `"}` + "\n"
	sealLength = len(sealStart) + 8 + len(sealEnd)
)

// castagnoli makes the table at its first use, because most processes write no journal.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// Seal replaces the content of buf by v as a line. sum is the checksum of the line before;
// Seal returns the checksum of the new line.
func Seal(buf *bytes.Buffer, v any, sum uint32) (uint32, error) {
	buf.Reset()
	e := json.NewEncoder(buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return sum, err
	}
	buf.Truncate(buf.Len() - len("}\n"))
	return seal(buf, sum), nil
}

// SealAgain is Seal for the object of a line that was sealed before, without its last brace.
func SealAgain(buf *bytes.Buffer, object io.Reader, sum uint32) (uint32, error) {
	buf.Reset()
	if _, err := buf.ReadFrom(object); err != nil {
		return sum, err
	}
	return seal(buf, sum), nil
}

// seal ends a line that lacks its last brace.
func seal(buf *bytes.Buffer, sum uint32) uint32 {
	sum = crc32.Update(sum, castagnoli(), buf.Bytes())
	fmt.Fprintf(buf, "%s%08x%s", sealStart, sum, sealEnd)
	return sum
}

// stated reads the checksum that is written in a line.
func stated(line []byte) (sum uint32, ok bool) {
	body := len(line) - sealLength
	if body < 1 {
		return 0, false
	}
	seal := line[body:]
	var said [4]byte
	_, err := hex.Decode(said[:], seal[len(sealStart):len(sealStart)+8])
	if err != nil || !bytes.HasPrefix(seal, []byte(sealStart)) || !bytes.HasSuffix(seal, []byte(sealEnd)) {
		return 0, false
	}
	return binary.BigEndian.Uint32(said[:]), true
}

// Unseal returns the object of a line without its checksum, and the checksum that the next
// line continues. It is false for a line that is not what was written after a line with the
// checksum sum. It writes into line.
func Unseal(line []byte, sum uint32) (object []byte, next uint32, ok bool) {
	said, ok := stated(line)
	if !ok {
		return nil, sum, false
	}
	body := len(line) - sealLength
	next = crc32.Update(sum, castagnoli(), line[:body])
	if next != said {
		return nil, sum, false
	}
	line[body] = '}'
	return line[:body+1], next, true
}

// ReadLines calls take with the object of each line, which take must not keep, and the
// offset of the line, where the object begins too, unless an earlier line is damaged. It
// returns the end of the last whole line, and its checksum. An incomplete last line was
// being written when the machine or the process died: it is left out. Any other damaged
// line is a *Damage; the lines after it are still handed on, unless it is the first.
func ReadLines(r io.Reader, take func(object []byte, at int64) error) (end int64, sum uint32, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var line []byte
	var lost *Damage
	sums := []uint32{0} // that a whole line may continue
	for number := 1; ; number++ {
		line, err = readLine(in, line[:0])
		switch {
		case len(line) == 0 && lost != nil && errors.Is(err, io.EOF):
			return end, sum, lost
		case len(line) == 0 || err != nil && !errors.Is(err, io.EOF):
			return end, sum, ignore(err, io.EOF)
		}
		length := int64(len(line))
		object, next, ok := unsealedAny(line, sums)
		if !ok {
			if _, more := in.Peek(1); errors.Is(more, io.EOF) && lost == nil {
				return end, sum, nil
			}
			if lost == nil {
				lost = &Damage{Line: number}
			}
			if number == 1 {
				return end, sum, lost // it is not known whose lines the others are
			}
			if said, ok := stated(line); ok {
				sums = append(sums, said)
			}
			continue
		}
		if err := take(object, end); err != nil && lost == nil { // after a damaged line something may be missing
			return end, sum, fmt.Errorf("line %d: %w", number, err)
		}
		end, sum = end+length, next
		sums = append(sums[:0], sum)
	}
}

// unsealedAny is Unseal for a line that may continue one of several.
func unsealedAny(line []byte, sums []uint32) (object []byte, next uint32, ok bool) {
	for _, sum := range sums {
		object, next, ok = Unseal(line, sum)
		if ok {
			break
		}
	}
	return object, next, ok
}

// Damage is the error of a line that is not what was written, and that was not cut off as
// the last line of a file may be.
type Damage struct{ Line int }

func (d *Damage) Error() string { return fmt.Sprintf("line %d is damaged", d.Line) }

// longest is the length of the longest line that is read: a case with all of its samples.
const longest = 1 << 30

// readLine appends a line to buf, with its end if it has one.
func readLine(in *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		buf = append(buf, part...)
		switch {
		case len(buf) > longest:
			return nil, fmt.Errorf("a line is longer than %d bytes", longest)
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
