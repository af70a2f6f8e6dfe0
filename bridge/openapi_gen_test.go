package bridge

import (
	stdjson "encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// object is a JSON object of the description.
type object = map[string]any

// values are the fields that hold one of a few words, by type and field.
var values = map[string][]string{
	"Notification.kind":         kinds,
	"Notification.severity":     severities,
	"Notification.scope":        {wire.ScopeApplication, wire.ScopeSession},
	"Notification.status":       {wire.StatusPending, wire.StatusDismissed, wire.StatusResolved, wire.StatusExpired},
	"Notification.presentation": presentations,
	"Outcome.kind": {wire.OutcomeDismissed, wire.OutcomeResolved, wire.OutcomeExpired, wire.OutcomeAnswered,
		wire.OutcomeCancelled, wire.OutcomeTimedOut, wire.OutcomeAutoAnswered},
	"Interaction.state": {wire.InteractionWaiting, wire.InteractionAnswered, wire.InteractionCancelled, wire.InteractionTimedOut,
		wire.InteractionResolved, wire.InteractionExpired, wire.InteractionAutoAnswered, wire.InteractionDismissed},
	"Field.type": {wire.FieldText, wire.FieldNumber, wire.FieldInteger, wire.FieldBoolean, wire.FieldChoice,
		wire.FieldChoices, wire.FieldDate, wire.FieldDuration},
	"Option.comment":       {wire.CommentNone, wire.CommentOptional, wire.CommentRequired},
	"Retention.policy":     {wire.RetentionUntilResolved, wire.RetentionTTL, wire.RetentionRequest, wire.RetentionServerLifetime},
	"Publish.kind":         kinds,
	"Publish.severity":     severities,
	"Publish.presentation": presentations,
	"Publish.on_repeat":    {wire.OnRepeatUpdate, wire.OnRepeatCorroborate},
	"PublishResult.result": {wire.ResultCreated, wire.ResultUpdated, wire.ResultCorroborated, wire.ResultUnchanged},
	"Operation.op": {wire.OpPublish, wire.OpUpdate, wire.OpResolve, wire.OpExpire, wire.OpCancel,
		wire.OpCompleteRequest, wire.OpDismiss},
	"Connection.presence": {wire.PresenceOnline, wire.PresenceOffline, wire.PresenceRevoked, wire.PresenceMissing},
	"Session.needs_you":   {wire.NeedsReply, wire.NeedsFailed, wire.NeedsConfirm},
	"Invalidation.kind":   {wire.InvalidSession, wire.InvalidSessionList, wire.InvalidActions},
	"Show.view":           {wire.ViewRail, wire.ViewHistory, wire.ViewSettings},
	"Health.status":       {"ok"},
	"Problem.code":        codes(),
}

var (
	kinds         = []string{wire.KindNotice, wire.KindProgress, wire.KindStatus, wire.KindInteraction, wire.KindReport}
	severities    = []string{wire.SeverityInfo, wire.SeveritySuccess, wire.SeverityWarning, wire.SeverityError, wire.SeverityCritical}
	presentations = []string{wire.PresentationBanner, wire.PresentationInline, wire.PresentationModal}
)

func codes() []string {
	var out []string
	for code := range answers {
		out = append(out, string(code))
	}
	slices.Sort(out)
	return out
}

// generator makes the description of the route table.
type generator struct {
	t       *testing.T
	docs    map[string]map[string]string // type → field → comment; field "" is the type's
	schemas object
}

// describe returns the OpenAPI description of the routes.
func describe(t *testing.T, routes []route) []byte {
	g := &generator{t: t, docs: comments(t), schemas: object{}}
	paths := object{}
	for _, r := range routes {
		item, _ := paths[r.path].(object)
		if item == nil {
			item = object{}
			paths[r.path] = item
		}
		item[strings.ToLower(r.method)] = g.operation(r)
	}
	g.schema(reflect.TypeFor[wire.StreamEvent]())
	doc := object{
		"openapi": "3.1.0",
		"info": object{
			"title":       "Signalbox bridge",
			"version":     "1",
			"description": "Publish to the owner of this machine, ask, and learn of answers. HTTP/1.1 and JSON on the loopback.",
			"license":     object{"name": "Apache-2.0", "identifier": "Apache-2.0"},
		},
		"servers":    []any{object{"url": "http://" + wire.DefaultAddress}},
		"paths":      paths,
		"components": object{"schemas": g.schemas, "securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}}},
		"security":   []any{object{"token": []any{}}},
	}
	b, err := stdjson.MarshalIndent(doc, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(b, '\n')
}

var whose = map[access]string{
	public:     "No token.",
	anybody:    "Any token; that of a connection sees its own.",
	owner:      "The owner's token.",
	connection: "The owner's token, or the connection's.",
	record:     "The owner's token, or that of the connection whose record it is.",
}

func (g *generator) operation(r route) object {
	op := object{
		"summary":     r.about.summary,
		"description": whose[r.access],
		"operationId": operationID(r),
	}
	if r.access == public {
		op["security"] = []any{}
	}
	var params []any
	for _, segment := range strings.Split(r.path, "/") {
		if strings.HasPrefix(segment, "{") {
			params = append(params, object{"name": strings.Trim(segment, "{}"), "in": "path", "required": true, "schema": object{"type": "string"}})
		}
	}
	for _, p := range r.about.query {
		schema := object{"type": p.kind}
		if p.kind == several {
			schema = object{"type": several, "items": object{"type": "string"}}
		}
		params = append(params, object{"name": p.name, "in": "query", "description": p.summary, "schema": schema})
	}
	if r.path == wire.PathPublish {
		params = append(params, object{"name": wire.IdempotencyKey, "in": "header", "schema": object{"type": "string", "maxLength": notify.MaxKey}})
	}
	if params != nil {
		op["parameters"] = params
	}
	if r.about.body != nil {
		op["requestBody"] = object{"required": !r.about.noBody, "content": object{
			"application/json": object{"schema": g.schema(reflect.TypeOf(r.about.body))},
		}}
	}
	responses := object{"default": object{"description": "A refusal", "content": object{
		wire.ProblemType: object{"schema": g.schema(reflect.TypeFor[wire.Problem]())},
	}}}
	for _, a := range r.about.answers {
		one := object{"description": statusWords[a.status]}
		switch body := a.body.(type) {
		case nil:
		case string:
			kind := "string"
			if body == "application/json" {
				kind = "object"
			}
			one["content"] = object{body: object{"schema": object{"type": kind}}}
		default:
			one["content"] = object{"application/json": object{"schema": g.schema(reflect.TypeOf(body))}}
		}
		responses[fmt.Sprint(a.status)] = one
	}
	op["responses"] = responses
	return op
}

var statusWords = map[int]string{200: "Done", 201: "Created", 202: "Taken: the producer hears of it", 204: "Done"}

func operationID(r route) string {
	var b strings.Builder
	b.WriteString(strings.ToLower(r.method))
	for _, segment := range strings.Split(strings.TrimPrefix(r.path, "/v1/"), "/") {
		for _, word := range strings.FieldsFunc(segment, func(c rune) bool { return strings.ContainsRune("{}-._", c) }) {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// schema returns the schema of a type: a reference for the wire's own shapes.
func (g *generator) schema(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[wire.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[wire.Expected]():
		return object{"type": []any{"integer", "string"}, "description": "A revision, or the updated_at of a record that has none"}
	case reflect.TypeFor[wire.Confirm]():
		return object{"type": []any{"boolean", "string"}}
	case reflect.TypeFor[stdjson.RawMessage]():
		return object{"type": "object"}
	}
	if strings.HasPrefix(t.Name(), "Optional[") {
		value, _ := t.FieldByName("Value")
		return object{"anyOf": []any{g.schema(value.Type), object{"type": "null"}}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.schema(t.Elem())
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Interface:
		return object{}
	case reflect.Slice:
		return object{"type": "array", "items": g.schema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": g.schema(t.Elem())}
	case reflect.Struct:
		if _, done := g.schemas[t.Name()]; !done {
			g.schemas[t.Name()] = object{} // a place, should the type contain itself
			g.schemas[t.Name()] = g.structure(t)
		}
		return object{"$ref": "#/components/schemas/" + t.Name()}
	}
	g.t.Fatalf("no schema for %v", t)
	return nil
}

func (g *generator) structure(t reflect.Type) object {
	properties, required := object{}, []string{}
	g.fields(t, properties, &required)
	out := object{"type": "object", "properties": properties}
	if text := g.docs[t.Name()][""]; text != "" {
		out["description"] = text
	}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

func (g *generator) fields(t reflect.Type, properties object, required *[]string) {
	for f := range fieldsOf(t) {
		if f.Anonymous {
			g.fields(f.Type, properties, required)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			g.t.Errorf("%s.%s has no JSON name", t.Name(), f.Name)
		}
		s := g.schema(f.Type)
		if words := values[t.Name()+"."+name]; words != nil {
			s["enum"] = words
		}
		if text := g.docs[t.Name()][f.Name]; text != "" && s["description"] == nil {
			if _, isRef := s["$ref"]; !isRef {
				s["description"] = text
			}
		}
		properties[name] = s
		if !strings.Contains(options, "omit") {
			*required = append(*required, name)
		}
	}
}

func fieldsOf(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

// comments reads the comments of the wire's types and fields.
func comments(t *testing.T) map[string]map[string]string {
	out := map[string]map[string]string{}
	files, err := filepath.Glob("wire/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				ts, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				st, ok := ts.Type.(*ast.StructType)
				if !ok {
					continue
				}
				fields := map[string]string{"": oneLine(gen.Doc.Text())}
				for _, f := range st.Fields.List {
					text := f.Doc.Text()
					if text == "" {
						text = f.Comment.Text()
					}
					for _, name := range f.Names {
						fields[name.Name] = oneLine(text)
					}
				}
				out[ts.Name.Name] = fields
			}
		}
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Every word of the tables is one that the rules know, and the other way round.
func TestWordsAreThoseOfTheRules(t *testing.T) {
	for name, got := range map[string]struct{ wire, rules []string }{
		"kinds": {kinds, []string{string(notify.KindNotice), string(notify.KindProgress), string(notify.KindStatus),
			string(notify.KindInteraction), string(notify.KindReport)}},
		"codes": {codes(), sortedCodes()},
	} {
		if !slices.Equal(got.wire, got.rules) {
			t.Errorf("%s: the wire has %v, the rules %v", name, got.wire, got.rules)
		}
	}
}

func sortedCodes() []string {
	return slices.Sorted(maps.Keys(map[string]bool{
		wire.CodeUnauthorized: true, wire.CodeForbidden: true, wire.CodeForbiddenOrigin: true, wire.CodeNotFound: true,
		wire.CodeMethodNotAllowed: true, wire.CodeUnsupportedMedia: true, wire.CodeTooLarge: true, wire.CodeInvalidJSON: true,
		wire.CodeInvalidField: true, wire.CodeRetiredEvent: true, wire.CodeRevisionConflict: true, wire.CodeTerminal: true,
		wire.CodeNotDismissible: true, wire.CodeInteractionActive: true, wire.CodeNotInteraction: true, wire.CodeAlreadyAnswered: true,
		wire.CodeAnswerInvalid: true, wire.CodeActionUnavailable: true, wire.CodeIdempotencyMismatch: true, wire.CodeRateLimited: true,
		wire.CodeStorageFull: true, wire.CodeUnavailable: true, wire.CodeInternal: true,
	}))
}
