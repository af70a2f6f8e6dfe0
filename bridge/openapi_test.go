package bridge

import (
	"bytes"
	stdjson "encoding/json"
	"flag"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// The description that is served is that of the routes and shapes as they are.
func TestOpenAPIIsInStep(t *testing.T) {
	want := describe(t, (&Server{}).routes())
	if *update {
		if err := os.WriteFile("openapi.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want, openAPIDescription) {
		t.Error("openapi.json is out of step; write it anew with: go test ./bridge -run TestOpenAPIIsInStep -update")
	}
}

// description is the embedded one, checked and ready to hold answers against.
var description = sync.OnceValues(func() (*openapi3.T, error) {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(openAPIDescription)
	if err != nil {
		return nil, err
	}
	return doc, doc.Validate(loader.Context)
})

func TestOpenAPIIsValid(t *testing.T) {
	if _, err := description(); err != nil {
		t.Error(err)
	}
}

// checked is a transport that holds every answer against the description.
type checked struct {
	t     testing.TB
	inner http.RoundTripper
	table *table
}

func (c checked) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := c.inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if err := c.check(r, resp); err != nil {
		c.t.Errorf("%s %s answered %d against the description: %v", r.Method, r.URL.Path, resp.StatusCode, err)
	}
	return resp, nil
}

func (c checked) check(r *http.Request, resp *http.Response) error {
	doc, err := description()
	if err != nil {
		return err
	}
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil && resp.StatusCode != http.StatusNoContent {
		return err
	}
	if media == "text/event-stream" {
		return nil
	}
	asked := r.Clone(r.Context())
	_, route := c.table.find(asked)
	var declared *openapi3.Response
	if route == nil {
		if resp.StatusCode < 400 {
			return fmt.Errorf("no such route")
		}
		declared = doc.Paths.Value("/v1/health").Get.Responses.Default().Value
	} else {
		responses := doc.Paths.Value(route.path).GetOperation(route.method).Responses
		ref := responses.Status(resp.StatusCode)
		if ref == nil {
			if resp.StatusCode < 400 {
				return fmt.Errorf("the status is not declared")
			}
			ref = responses.Default()
		}
		declared = ref.Value
	}
	if len(declared.Content) == 0 {
		return nil
	}
	content := declared.Content.Get(media)
	if content == nil {
		return fmt.Errorf("the media type %s is not declared", media)
	}
	if !strings.HasSuffix(media, "json") {
		return nil
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(b))
	var v any
	if err := stdjson.Unmarshal(b, &v); err != nil {
		return err
	}
	return doc.ValidateSchemaJSON(content.Schema.Value, v)
}
