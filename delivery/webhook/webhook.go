// Package webhook tells by an HTTP POST to an address that the owner configured.
//
// It owns the request: its body, its signature, its limits. It promises that the address is on the
// loopback unless the owner allowed another, that no redirect is followed, that a call ends within its
// limit, and that nothing of the answer but its status is looked at. It never retries; its caller does.
package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"signalbox/internal/loopback"
	"signalbox/notify"
)

// The headers of a request. The signature is "v1=" and the HMAC-SHA-256, in hexadecimal, of the
// timestamp, a dot and the body, keyed with the secret; a receiver refuses old timestamps.
const (
	HeaderSignature = "Signalbox-Signature"
	HeaderTimestamp = "Signalbox-Timestamp" // seconds since 1970
	HeaderDelivery  = "Signalbox-Delivery"  // the same for every try of one delivery
)

// Config is one webhook.
type Config struct {
	URL    string
	Secret string // empty: not signed
	// AllowRemote allows an address that is not on the loopback.
	AllowRemote bool
	// Headers are sent as well; none of ours can be replaced.
	Headers map[string]string
	Limit   time.Duration // 0: 5 s
}

// Validate says what is wrong with c.
func (c Config) Validate() error {
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Host == "" || u.User != nil:
		return errors.New("is not an address")
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("must begin with http:// or https://")
	case !c.AllowRemote && !notify.Loopback(u.Hostname()):
		return errors.New("is not on this machine; allow_remote = true permits it")
	}
	return nil
}

// Hook is a webhook that can be called. It is safe for concurrent use.
type Hook struct {
	config Config
	client *http.Client
	now    func() time.Time
}

// New returns the webhook of c. now gives the timestamps.
func New(c Config, now func() time.Time) (*Hook, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Limit <= 0 {
		c.Limit = 5 * time.Second
	}
	return &Hook{config: c, now: now, client: loopback.NewClient(c.Limit, func() bool { return c.AllowRemote })}, nil
}

// Post sends payload as JSON. id is the delivery's. Any status but 2xx is an error.
func (h *Hook) Post(ctx context.Context, id string, payload any) error {
	body, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.config.URL, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("request: %w", err)
	}
	for name, value := range h.config.Headers {
		req.Header.Set(name, value)
	}
	at := strconv.FormatInt(h.now().Unix(), 10)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Signalbox")
	req.Header.Set(HeaderTimestamp, at)
	req.Header.Set(HeaderDelivery, id)
	if h.config.Secret != "" {
		req.Header.Set(HeaderSignature, Sign(h.config.Secret, at, body))
	}
	res, err := h.client.Do(req)
	if err != nil {
		return plain(err)
	}
	defer res.Body.Close()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return fmt.Errorf("answered with status %d", res.StatusCode)
	}
	return nil
}

// plain leaves the address, which may hold a secret, out of an error.
func plain(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		if e.Timeout() {
			return errors.New("did not answer in time")
		}
		return e.Err
	}
	return err
}

// Sign returns the signature header of a body.
func Sign(secret, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	return "v1=" + hex.EncodeToString(mac.Sum(nil))
}
