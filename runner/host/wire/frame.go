package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxFrame is the size limit of one message, bytes.
const MaxFrame = 16 << 20

// ErrFrame is the error of a message that breaks the protocol.
var ErrFrame = errors.New("not a message of suite's host protocol")

// WriteMessage writes v as one frame: a little-endian length and JSON.
func WriteMessage(w io.Writer, v any) error {
	var buf bytes.Buffer
	buf.Write(make([]byte, 4))
	if err := json.NewEncoder(&buf).Encode(v); err != nil {
		return err
	}
	size := buf.Len() - 4
	if size > MaxFrame {
		return fmt.Errorf("%w: %d bytes are over the limit of %d", ErrFrame, size, MaxFrame)
	}
	binary.LittleEndian.PutUint32(buf.Bytes(), uint32(size))
	_, err := w.Write(buf.Bytes())
	return err
}

// ReadMessage reads one frame into v. It returns io.EOF if the other side closed
// the pipe between two frames. A frame that is too long, cut off or not the JSON
// of v is ErrFrame; one that is cut off is io.ErrUnexpectedEOF as well.
func ReadMessage(r io.Reader, v any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return cutOff(err)
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size > MaxFrame {
		return fmt.Errorf("%w: a length of %d bytes is over the limit of %d", ErrFrame, size, MaxFrame)
	}
	// The buffer grows while reading, so that a wrong length costs no memory.
	var body bytes.Buffer
	if n, err := io.CopyN(&body, r, int64(size)); err != nil {
		return fmt.Errorf("%w: %w after %d of %d bytes", ErrFrame, io.ErrUnexpectedEOF, n, size)
	}
	if err := json.Unmarshal(body.Bytes(), v); err != nil {
		return fmt.Errorf("%w: %v", ErrFrame, err)
	}
	return nil
}

// cutOff turns an end of the pipe inside a length into ErrFrame, and leaves an end
// between two frames as it is.
func cutOff(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: %w inside a length", ErrFrame, err)
	}
	return err
}
