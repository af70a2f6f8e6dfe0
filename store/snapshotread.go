package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/dgraph-io/badger/v4/pb"
	"github.com/go-json-experiment/json"
	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// readHeader reads what is in front of the stream.
func readHeader(r *bufio.Reader) (info SnapshotInfo, err error) {
	magic := make([]byte, len(snapshotMagic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != snapshotMagic {
		return info, errors.New("this is no snapshot of Signalbox")
	}
	line, err := r.ReadSlice('\n')
	if err != nil {
		return info, fmt.Errorf("read snapshot header: %w", err)
	}
	if err := json.Unmarshal(line, &info); err != nil {
		return info, fmt.Errorf("read snapshot header: %w", err)
	}
	if info.Schema > Schema {
		return info, errNewer
	}
	return info, nil
}

// VerifySnapshot reads a snapshot whole and compares what is in it with what it says of itself.
func VerifySnapshot(ctx context.Context, r io.Reader) (SnapshotInfo, error) {
	return readSnapshot(ctx, r, func(*pb.KV) error { return nil })
}

// readSnapshot calls f with every row, valid during the call only, and compares all with what the snapshot says of
// itself: the error comes after the last row then.
func readSnapshot(ctx context.Context, r io.Reader, f func(kv *pb.KV) error) (SnapshotInfo, error) {
	br := bufio.NewReaderSize(r, 64<<10)
	info, err := readHeader(br)
	if err != nil {
		return info, err
	}
	z, err := zstd.NewReader(br, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return info, err
	}
	defer z.Close()
	var records int64
	var st stateRow
	found := false
	if err := eachBackupRow(ctx, z, func(kv *pb.KV) (err error) {
		switch {
		case kv.Key[0] == pfxRecord:
			records++
		case string(kv.Key) == string(keyState):
			st, err = decodeState(kv.Value)
			found = true
		}
		if err != nil {
			return err
		}
		return f(kv)
	}); err != nil {
		return info, fmt.Errorf("read snapshot: %w", err)
	}
	if !found || st.seq < info.Sequence || st.records != records {
		return info, fmt.Errorf("the snapshot is incomplete: %d records of %d, change %d of %d", records, st.records, st.seq, info.Sequence)
	}
	return info, nil
}

// eachBackupRow reads Badger's backup stream: lists of rows, each with its length in front. Of a key's
// versions the newest comes first. A list may be long: one row is read after the other.
func eachBackupRow(ctx context.Context, r io.Reader, f func(kv *pb.KV) error) error {
	const bitDelete = 1
	var last []byte
	var buf bytes.Buffer
	var kv pb.KV
	br := bufio.NewReaderSize(r, 64<<10)
	for {
		var n uint64
		if err := binary.Read(br, binary.LittleEndian, &n); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if n > 1<<30 {
			return errors.New("a list of rows is too long")
		}
		list := &listReader{r: br, left: n}
		for list.left > 0 {
			if err := list.next(&buf); err != nil {
				return err
			}
			if err := proto.Unmarshal(buf.Bytes(), &kv); err != nil {
				return err
			}
			if len(kv.Key) == 0 || string(kv.Key) == string(last) {
				continue
			}
			last = append(last[:0], kv.Key...)
			if len(kv.Meta) > 0 && kv.Meta[0]&bitDelete != 0 {
				continue
			}
			if err := f(&kv); err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
}

// listReader reads a pb.KVList row by row.
type listReader struct {
	r    *bufio.Reader
	left uint64 // bytes of the list
}

// next reads a row's bytes.
func (l *listReader) next(buf *bytes.Buffer) error {
	tag, err := binary.ReadUvarint(l)
	if err != nil {
		return noEOF(err)
	}
	number, kind := protowire.DecodeTag(tag)
	if number != 1 || kind != protowire.BytesType { // Badger writes nothing but rows into a list
		return errors.New("a list of rows holds something else")
	}
	n, err := binary.ReadUvarint(l)
	if err != nil {
		return noEOF(err)
	}
	if n > l.left {
		return io.ErrUnexpectedEOF
	}
	l.left -= n
	buf.Reset()
	// As much memory as there is to read, whatever was said.
	_, err = io.CopyN(buf, l.r, int64(n))
	return noEOF(err)
}

// ReadByte reads a byte of the list.
func (l *listReader) ReadByte() (byte, error) {
	if l.left == 0 {
		return 0, io.EOF
	}
	l.left--
	return l.r.ReadByte()
}

// noEOF is err, where the end of what there is comes too early.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
