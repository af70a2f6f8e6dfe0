package bridge

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"signalbox/bridge/wire"
	"signalbox/internal/loopback"
)

const callbackTimeout = 10 * time.Second

// destination is where callbacks go, and the key that signs them: the SHA-256
// of the connection's token, which both sides have and nobody else.
type destination struct{ url, key string }

// poster sends callbacks.
type poster struct{ client *http.Client }

// newPoster returns a poster that goes outside the loopback only while remote says so.
func newPoster(remote func() bool) poster {
	return poster{loopback.NewClient(callbackTimeout, remote)}
}

// send posts one event. Any 2xx answer means that it was taken.
func (p poster) send(ctx context.Context, to destination, seq int64, name string, data []byte) error {
	// The body is a StreamEvent: the event's data with its name before it.
	body := make([]byte, 0, len(data)+len(name)+16)
	body = append(body, `{"event":`...)
	body = strconv.AppendQuote(body, name) // names are plain words
	body = append(body, ',')
	body = append(body, data[1:]...)

	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "signalbox")
	req.Header.Set(wire.SignatureHeader, sign([]byte(to.key), body))
	req.Header.Set(wire.ChangeHeader, strconv.FormatInt(seq, 10))
	req.Header.Set(wire.EventHeader, name)
	resp, err := p.client.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("answered %d", resp.StatusCode)
	}
	return nil
}

// sign is the value of the signature header for a body.
func sign(key, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// safeError is err without the address, which may hold a secret of the producer's.
func safeError(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}
