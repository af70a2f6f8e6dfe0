package delivery

import (
	"time"

	"signalbox/notify"
)

// Payload is a message as webhooks and commands get it, in JSON. Text is in it as far as the privacy
// of the provider allows; the identities always are.
type Payload struct {
	Kind     MessageKind   `json:"kind"`
	Delivery string        `json:"delivery"`
	At       time.Time     `json:"at"`
	Title    string        `json:"title,omitempty"`
	Body     string        `json:"body,omitempty"`
	Item     *PayloadItem  `json:"notification,omitempty"`  // of an item or a reminder
	Items    []PayloadItem `json:"notifications,omitempty"` // of a summary or a digest
}

// PayloadItem names a record.
type PayloadItem struct {
	ID         string          `json:"id"`
	Revision   int             `json:"revision"`
	Connection string          `json:"connection"`
	Session    string          `json:"session,omitempty"`
	Kind       notify.Kind     `json:"kind"`
	Severity   notify.Severity `json:"severity"`
	Event      *notify.Event   `json:"event,omitempty"`
	Waiting    bool            `json:"waiting"`
	CreatedAt  time.Time       `json:"created_at"`
}

// Payload makes the JSON form of m.
func (m Message) Payload() Payload {
	p := Payload{Kind: m.Kind, Delivery: m.Delivery, At: m.At.UTC(), Title: m.Title, Body: m.Body}
	item := func(r *notify.Record) PayloadItem {
		return PayloadItem{ID: r.ID, Revision: r.Revision, Connection: r.Connection, Session: r.Session, Kind: r.Kind,
			Severity: r.Severity, Event: r.Event, Waiting: r.Waiting(), CreatedAt: r.CreatedAt}
	}
	if m.Record != nil {
		i := item(m.Record)
		p.Item = &i
	}
	for _, r := range m.Records {
		p.Items = append(p.Items, item(r))
	}
	return p
}
