package store

import (
	"bytes"
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"signalbox/notify"
)

// text draws texts that are likely to go wrong in a key.
func text() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.SampledFrom([]rune{0, 1, 'a', 'b', '!', 0xFF, 0xFE, '/', 0x10FFFF}), 0, 6, -1)
}

func moment() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64(), rapid.Int64Range(-2, 2), rapid.Just(instant(time.Time{})), rapid.Just(instant(notify.SetAsideForever)))
}

// TestKeyRoundTrip builds every sort of key and parses it.
func TestKeyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(text(), 4, 4).Draw(t, "parts")
		at := moment().Draw(t, "at")
		slot := notify.Slot{Connection: parts[0], Scope: notify.Scope(parts[1]), Session: parts[2], Key: parts[3]}
		told := notify.EventRef{Connection: parts[0], Session: parts[1], Type: parts[2], Occurrence: parts[3]}
		d := notify.Delivery{Provider: parts[0], EventType: parts[1], Occurrence: parts[2], RecordID: parts[3], At: instantTime(at), RetryAt: instantTime(at)}
		for name, c := range map[string]struct {
			key  []byte
			want []string
		}{
			"record":       {recordKey(parts[0]), parts[:1]},
			"slot":         {slotKey(slot), parts},
			"told":         {toldKey(told), parts},
			"receipt":      {receiptKey(parts[0], parts[1]), parts[:2]},
			"connection":   {connectionKey(parts[0]), parts[:1]},
			"session":      {sessionKey(parts[0], parts[1]), parts[:2]},
			"invalidation": {invalidationKey(parts[0], parts[1]), parts[:2]},
			"delivery":     {deliveryKey(d), parts[:3]},
		} {
			if got, err := parseTexts(c.key, len(c.want)); err != nil || !slices.Equal(got, c.want) {
				t.Fatalf("%s: parse(%q) = %q, %v; want %q", name, c.key, got, err, c.want)
			}
		}
		for name, c := range map[string]struct {
			key  []byte
			want []string
		}{
			"time":          {timeKey(at, parts[0]), parts[:1]},
			"pending":       {pendingKey(at, parts[0]), parts[:1]},
			"receipt age":   {receiptAgeKey(at, parts[0], parts[1]), parts[:2]},
			"delivery time": {deliveryTimeKey(d), parts[:3]},
			"retry":         {retryKey(d), parts[:3]},
		} {
			if n, got, err := parseTimeTexts(c.key, len(c.want)); err != nil || n != at || !slices.Equal(got, c.want) {
				t.Fatalf("%s: parse(%q) = %d, %q, %v; want %d, %q", name, c.key, n, got, err, at, c.want)
			}
		}
		if id, n, got, err := parseDeliveryRecordKey(deliveryRecordKey(d)); err != nil || id != parts[3] || n != at || !slices.Equal(got, parts[:3]) {
			t.Fatalf("delivery of a record = %q, %d, %q, %v", id, n, got, err)
		}
		seq := rapid.Int64Range(0, 1<<62).Draw(t, "seq")
		if got, err := parseChangeKey(changeKey(seq)); err != nil || got != seq {
			t.Fatalf("change %d = %d, %v", seq, got, err)
		}
	})
}

// TestKeyOrder proves that keys sort as what they are made of.
func TestKeyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.SliceOfN(text(), 3, 3).Draw(t, "a"), rapid.SliceOfN(text(), 3, 3).Draw(t, "b")
		x, y := moment().Draw(t, "x"), moment().Draw(t, "y")
		if got, want := bytes.Compare(textKey('k', a...), textKey('k', b...)), slices.Compare(a, b); got != want {
			t.Fatalf("%q and %q: %d, want %d", a, b, got, want)
		}
		want := cmp.Or(cmp.Compare(x, y), slices.Compare(a, b))
		if got := bytes.Compare(timeTextKey('k', x, a...), timeTextKey('k', y, b...)); got != want {
			t.Fatalf("%d %q and %d %q: %d, want %d", x, a, y, b, got, want)
		}
		n, m := rapid.Int64Range(0, 1<<62).Draw(t, "n"), rapid.Int64Range(0, 1<<62).Draw(t, "m")
		if got := bytes.Compare(changeKey(n), changeKey(m)); got != cmp.Compare(n, m) {
			t.Fatalf("change %d and %d: %d", n, m, got)
		}
		// No key is within the prefix of another's parts.
		if a[0] != b[0] && bytes.HasPrefix(textKey('k', a...), textKey('k', b[0])) {
			t.Fatalf("%q lies within %q", a, b[0])
		}
	})
}

// TestInstants proves that instants keep the order of times, the zero time among them.
func TestInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := moment().Draw(t, "n")
		if got := instant(instantTime(n)); got != n {
			t.Fatalf("instant %d came back as %d", n, got)
		}
	})
	if instant(time.Time{}) >= instant(time.Unix(0, 0)) || instant(notify.SetAsideForever) <= instant(time.Unix(1e9, 0)) {
		t.Error("the edges are out of order")
	}
	if !instantTime(instant(time.Time{})).IsZero() {
		t.Error("the zero time is not kept")
	}
}

// FuzzKey takes arbitrary bytes for a key: they are refused, or mean what they were built from.
func FuzzKey(f *testing.F) {
	f.Add([]byte("r\x00\xff\x00\x00"))
	f.Add(timeKey(5, "id"))
	f.Add(slotKey(notify.Slot{Connection: "c", Key: "k"}))
	f.Add([]byte{'t', 0, 0})
	f.Fuzz(func(t *testing.T, key []byte) {
		if len(key) == 0 {
			return
		}
		for n := range 5 {
			if parts, err := parseTexts(key, n); err == nil && !bytes.Equal(textKey(key[0], parts...), key) {
				t.Errorf("%q is taken for %q", key, parts)
			}
			if at, parts, err := parseTimeTexts(key, n); err == nil && !bytes.Equal(timeTextKey(key[0], at, parts...), key) {
				t.Errorf("%q is taken for %d %q", key, at, parts)
			}
		}
		_, _ = parseChangeKey(key)
		_, _, _, _ = parseDeliveryRecordKey(key)
	})
}
