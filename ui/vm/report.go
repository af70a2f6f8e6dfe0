package vm

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"signalbox/notify"
)

// ReportView is a report, ready to be drawn.
type ReportView struct {
	There  bool
	Title  string
	Blocks []Block
	// From says where it comes from: the live document, or the stored snapshot.
	From Msg
	Path string
	// Failed is a line for what could not be shown: a report fails closed, it is never half a report.
	Failed Msg
}

// maxReportBlocks bounds what is drawn.
const maxReportBlocks = 400

// ReportOf turns a report into blocks. The live document wins while it is readable and valid, else
// the stored snapshot is shown and says why.
func ReportOf(r *notify.Report, live []byte, liveErr error) ReportView {
	if r == nil {
		return ReportView{}
	}
	v := ReportView{There: true, Title: r.Title, Path: r.Path}
	if live != nil && liveErr == nil {
		title, blocks, err := reportBlocks(live)
		if err == nil {
			if title != "" {
				v.Title = title
			}
			v.Blocks, v.From = blocks, M("report.live")
			return v
		}
		liveErr = err
	}
	if len(r.Blocks) > 0 {
		_, blocks, err := reportBlocks(r.Blocks)
		if err == nil {
			v.Blocks, v.From = blocks, M("report.snapshot")
			if liveErr != nil {
				v.Failed = M("report.live_failed")
			}
			return v
		}
		v.Failed = M("report.invalid")
		return v
	}
	v.Failed = M("report.invalid")
	if liveErr != nil {
		v.Failed = M("report.live_failed")
	}
	return v
}

var errReport = errors.New("not a report")

type reportBlock struct {
	Type    string     `json:"type"`
	Text    string     `json:"text"`
	Level   int        `json:"level"`
	Items   []string   `json:"items"`
	Ordered bool       `json:"ordered"`
	Header  []string   `json:"header"`
	Rows    [][]string `json:"rows"`
	Facts   []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"facts"`
	Status string `json:"status"`
}

// reportBlocks reads a JSON array of blocks, or an object with a title and blocks. A block of a type that is not known
// shows its text, where it has one.
func reportBlocks(raw []byte) (title string, out []Block, err error) {
	if len(raw) > notify.MaxReport {
		return "", nil, fmt.Errorf("%w: longer than %d bytes", errReport, notify.MaxReport)
	}
	var list []reportBlock
	if v := jsontext.Value(raw); v.Kind() == '{' {
		var doc struct {
			Title  string        `json:"title"`
			Blocks []reportBlock `json:"blocks"`
		}
		if err := json.Unmarshal(raw, &doc); err != nil {
			return "", nil, fmt.Errorf("%w: %w", errReport, err)
		}
		title, list = doc.Title, doc.Blocks
	} else if err := json.Unmarshal(raw, &list); err != nil {
		return "", nil, fmt.Errorf("%w: %w", errReport, err)
	}
	for _, b := range list {
		if len(out) >= maxReportBlocks {
			break
		}
		plain := []Span{{Text: b.Text}}
		switch b.Type {
		case "heading":
			out = append(out, Block{Kind: BlockHeading, Level: min(max(b.Level, 1), 6), Spans: plain})
		case "code":
			out = append(out, Block{Kind: BlockCode, Code: b.Text})
		case "quote":
			out = append(out, Block{Kind: BlockQuote, Spans: plain})
		case "divider", "rule":
			out = append(out, Block{Kind: BlockRule})
		case "list":
			for i, item := range b.Items {
				bullet := "•"
				if b.Ordered {
					bullet = strconv.Itoa(i+1) + "."
				}
				out = append(out, Block{Kind: BlockItem, Bullet: bullet, Spans: []Span{{Text: item}}})
			}
		case "table":
			rows := b.Rows
			if len(b.Header) > 0 {
				rows = append([][]string{b.Header}, rows...)
			}
			if len(rows) > 0 {
				out = append(out, Block{Kind: BlockTable, Rows: rows})
			}
		case "facts":
			for _, f := range b.Facts {
				out = append(out, Block{Kind: BlockText, Spans: []Span{{Text: f.Name + ": ", Bold: true}, {Text: f.Value}}})
			}
		default:
			if strings.TrimSpace(b.Text) != "" {
				out = append(out, Markdown(b.Text)...)
			}
		}
	}
	if len(out) == 0 {
		return title, nil, errReport
	}
	return title, out, nil
}
