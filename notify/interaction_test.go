package notify_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"signalbox/notify"
)

func raw(s string) notify.RawJSON { return notify.RawJSON(s) }

func answer(option, comment string, fields map[string]notify.RawJSON) notify.Answer {
	return notify.Answer{Option: option, Comment: comment, Fields: fields}
}

// Proves: I1, I3
func TestAnswersFit(t *testing.T) {
	type fields = map[string]notify.RawJSON
	options := notify.Interaction{Options: []notify.Option{{ID: "yes"}, {ID: "no", Comment: "required"}, {ID: "later", Comment: "optional"}}}
	withDefault := options
	withDefault.DefaultOption = "yes"
	field := func(f notify.Field) notify.Interaction {
		f.ID = "f"
		return notify.Interaction{Fields: []notify.Field{f}}
	}
	text := notify.Field{Type: notify.FieldText, Required: true, Min: raw("2"), Max: raw("4")}
	number := notify.Field{Type: notify.FieldNumber, Min: raw("0.5"), Max: raw("2")}
	integer := notify.Field{Type: notify.FieldInteger, Min: raw("-1")}
	choice := notify.Field{Type: notify.FieldChoice, Choices: []string{"a", "b"}}
	choices := notify.Field{Type: notify.FieldChoices, Choices: []string{"a", "b", "c"}, Min: raw("1"), Max: raw("2"), Required: true}
	date := notify.Field{Type: notify.FieldDate, Min: raw(`"2026-01-01"`), Max: raw(`"2026-12-31"`)}
	duration := notify.Field{Type: notify.FieldDuration, Max: raw(`"2h"`)}
	defaulted := notify.Field{Type: notify.FieldInteger, Required: true, Default: raw("7")}
	asksMore := notify.Interaction{Options: []notify.Option{{ID: "accept"}, {ID: "decline", SkipsFields: true}}, Fields: []notify.Field{{ID: "f", Type: notify.FieldText, Required: true}}}
	one := func(v string) notify.Answer { return answer("", "", fields{"f": raw(v)}) }
	for name, c := range map[string]struct {
		ask    notify.Interaction
		answer notify.Answer
		field  string // at fault; empty: it fits
	}{
		"an option":                  {options, answer("yes", "", nil), ""},
		"no option":                  {options, answer("", "", nil), "/answer/option"},
		"the default option":         {withDefault, answer("", "", nil), ""},
		"an unknown option":          {options, answer("perhaps", "", nil), "/answer/option"},
		"a comment that is not due":  {options, answer("yes", "because", nil), "/answer/comment"},
		"a comment that is required": {options, answer("no", "because", nil), ""},
		"a required comment missing": {options, answer("no", " \n", nil), "/answer/comment"},
		"an optional comment":        {options, answer("later", "", nil), ""},
		"free text":                  {notify.Interaction{}, answer("", "hello", nil), ""},
		"no free text":               {notify.Interaction{}, answer("", "", nil), "/answer/comment"},
		"an option that is none":     {notify.Interaction{}, answer("yes", "x", nil), "/answer/option"},
		"one without its field":      {asksMore, answer("accept", "", nil), "/answer/fields/f"},
		"another without it":         {asksMore, answer("decline", "", nil), ""},
		"another with it empty":      {asksMore, answer("decline", "", fields{"f": raw(`""`)}), ""},
		"another with it amiss":      {asksMore, answer("decline", "", fields{"f": raw("7")}), "/answer/fields/f"},
		"a field not asked":          {options, answer("yes", "", fields{"x/y": raw("1")}), "/answer/fields/x~1y"},
		"text":                       {field(text), one(`"abc"`), ""},
		"text in characters":         {field(text), one(`"äöüß"`), ""},
		"text too short":             {field(text), one(`"a"`), "/answer/fields/f"},
		"text too long":              {field(text), one(`"abcde"`), "/answer/fields/f"},
		"text as a number":           {field(text), one(`12`), "/answer/fields/f"},
		"a required field missing":   {field(text), answer("", "", nil), "/answer/fields/f"},
		"a required field null":      {field(text), one("null"), "/answer/fields/f"},
		"a number":                   {field(number), one("1.5"), ""},
		"a number too small":         {field(number), one("0.4"), "/answer/fields/f"},
		"a number too large":         {field(number), one("2.1"), "/answer/fields/f"},
		"a number as text":           {field(number), one(`"1"`), "/answer/fields/f"},
		"no number":                  {field(number), answer("", "", nil), ""},
		"a whole number":             {field(integer), one("-1"), ""},
		"a broken number":            {field(integer), one("1.5"), "/answer/fields/f"},
		"a number beyond all":        {field(integer), one("1e300"), "/answer/fields/f"},
		"a boolean":                  {field(notify.Field{Type: notify.FieldBoolean}), one("false"), ""},
		"a boolean as text":          {field(notify.Field{Type: notify.FieldBoolean}), one(`"true"`), "/answer/fields/f"},
		"a choice":                   {field(choice), one(`"b"`), ""},
		"another choice":             {field(choice), one(`"c"`), "/answer/fields/f"},
		"choices":                    {field(choices), one(`["a","c"]`), ""},
		"too many choices":           {field(choices), one(`["a","b","c"]`), "/answer/fields/f"},
		"no choices":                 {field(choices), one(`[]`), "/answer/fields/f"},
		"a choice twice":             {field(choices), one(`["a","a"]`), "/answer/fields/f"},
		"choices as one":             {field(choices), one(`"a"`), "/answer/fields/f"},
		"a date":                     {field(date), one(`"2026-02-28"`), ""},
		"a date that is none":        {field(date), one(`"2026-02-30"`), "/answer/fields/f"},
		"a date too late":            {field(date), one(`"2027-01-01"`), "/answer/fields/f"},
		"a duration":                 {field(duration), one(`"1h30m"`), ""},
		"a duration in ISO form":     {field(duration), one(`"PT1H30M"`), ""},
		"a duration in seconds":      {field(duration), one(`5400`), ""},
		"a duration too long":        {field(duration), one(`"P1D"`), "/answer/fields/f"},
		"a duration that is none":    {field(duration), one(`"soon"`), "/answer/fields/f"},
		"a negative duration":        {field(duration), one(`"-1h"`), "/answer/fields/f"},
		"a default":                  {field(defaulted), answer("", "", nil), ""},
		"not JSON":                   {field(number), one(`{`), "/answer/fields/f"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			r := d.publish(notify.Publish{Content: question(c.ask)})
			if c.field == "" {
				got := d.ok(notify.Owner, notify.AnswerOp{ID: r.ID, Expect: rev(1), Answer: c.answer}).Record
				d.is(r.ID, notify.Resolved, notify.OutcomeAnswered)
				if name == "a default" && string(got.Outcome.Answer.Fields["f"]) != "7" {
					t.Errorf("the default came as %s", got.Outcome.Answer.Fields["f"])
				}
				if name == "the default option" && got.Outcome.Answer.Option != "yes" {
					t.Errorf("the default came as %q", got.Outcome.Answer.Option)
				}
				return
			}
			e := d.refused(notify.CodeAnswerInvalid, notify.Owner, notify.AnswerOp{ID: r.ID, Expect: rev(1), Answer: c.answer})
			if e.Fields[0].Field != c.field {
				t.Errorf("the field at fault is %v, want %s", e.Fields, c.field)
			}
			d.is(r.ID, notify.Pending, "") // it waits on
		})
	}
}

// Proves: I1, S5
func TestQuestionsMakeSense(t *testing.T) {
	f := func(f notify.Field) notify.Interaction {
		f.ID = "f"
		return notify.Interaction{Prompt: "?", Fields: []notify.Field{f}}
	}
	for name, c := range map[string]struct {
		ask   notify.Interaction
		field string
	}{
		"no prompt":                  {notify.Interaction{}, "/interaction/prompt"},
		"an option without an id":    {notify.Interaction{Prompt: "?", Options: []notify.Option{{}}}, "/interaction/options/0/id"},
		"an option twice":            {notify.Interaction{Prompt: "?", Options: []notify.Option{{ID: "a"}, {ID: "a"}}}, "/interaction/options/1/id"},
		"an unknown comment rule":    {notify.Interaction{Prompt: "?", Options: []notify.Option{{ID: "a", Comment: "maybe"}}}, "/interaction/options/0/comment"},
		"an unknown style":           {notify.Interaction{Prompt: "?", Options: []notify.Option{{ID: "a", Style: "loud"}}}, "/interaction/options/0/style"},
		"a default that is none":     {notify.Interaction{Prompt: "?", DefaultOption: "a"}, "/interaction/default_option"},
		"a timeout option that's no": {notify.Interaction{Prompt: "?", TimeoutOption: "a"}, "/interaction/timeout_option"},
		"a negative timeout":         {notify.Interaction{Prompt: "?", TimeoutSeconds: -1}, "/interaction/timeout_seconds"},
		"a field without a type":     {f(notify.Field{}), "/interaction/fields/0/type"},
		"a field of no type":         {f(notify.Field{Type: "colour"}), "/interaction/fields/0/type"},
		"a choice of nothing":        {f(notify.Field{Type: notify.FieldChoice}), "/interaction/fields/0/choices"},
		"choices of a number":        {f(notify.Field{Type: notify.FieldNumber, Choices: []string{"1"}}), "/interaction/fields/0/choices"},
		"a default that does not fit": {f(notify.Field{Type: notify.FieldChoice, Choices: []string{"a"}, Default: raw(`"b"`)}),
			"/interaction/fields/0/default"},
		"a bound that is none":    {f(notify.Field{Type: notify.FieldDate, Min: raw("5")}), "/interaction/fields/0/min"},
		"bounds the wrong way":    {f(notify.Field{Type: notify.FieldNumber, Min: raw("5"), Max: raw("4")}), "/interaction/fields/0/max"},
		"a bound of a boolean":    {f(notify.Field{Type: notify.FieldBoolean, Min: raw("0")}), "/interaction/fields/0/min"},
		"an automatic misfit":     {notify.Interaction{Prompt: "?", Options: []notify.Option{{ID: "a"}}, Auto: &notify.Answer{Option: "b"}}, "/interaction/auto/option"},
		"too many options to see": {notify.Interaction{Prompt: "?", Options: make([]notify.Option, 51)}, "/interaction/options"},
	} {
		t.Run(name, func(t *testing.T) {
			ask := c.ask
			newDesk(t).field(c.field, alpha, notify.Publish{Content: notify.Content{Title: "Q", Kind: notify.KindInteraction, Interaction: &ask}})
		})
	}
	d := newDesk(t)
	d.field("/interaction", alpha, notify.Publish{Content: notify.Content{Title: "Q", Kind: notify.KindInteraction}})
	d.field("/interaction", alpha, notify.Publish{Content: notify.Content{Title: "Q", Kind: notify.KindNotice, Interaction: &notify.Interaction{Prompt: "?"}}})
}

// Proves: I2
func TestInteractionsEnd(t *testing.T) {
	ask := question(notify.Interaction{Options: []notify.Option{{ID: "yes"}}, TimeoutSeconds: 60})
	for name, c := range map[string]struct {
		by      notify.Actor
		op      func(id string) notify.Op
		wait    time.Duration
		status  notify.Status
		outcome notify.OutcomeKind
		state   notify.InteractionState
		who     string
	}{
		"by answer": {notify.Owner, func(id string) notify.Op { return notify.AnswerOp{ID: id, Answer: answer("yes", "", nil)} }, 0,
			notify.Resolved, notify.OutcomeAnswered, notify.InteractionAnswered, "owner"},
		"by cancellation": {alpha, func(id string) notify.Op { return notify.Cancel{Target: notify.Target{ID: id}, Reason: "gone"} }, 0,
			notify.Resolved, notify.OutcomeCancelled, notify.InteractionCancelled, "alpha"},
		"by resolution": {alpha, func(id string) notify.Op { return notify.Resolve{Target: notify.Target{ID: id}, Reason: "gone"} }, 0,
			notify.Resolved, notify.OutcomeResolved, notify.InteractionResolved, "alpha"},
		"by expiry": {alpha, func(id string) notify.Op { return notify.Expire{Target: notify.Target{ID: id}, Reason: "gone"} }, 0,
			notify.Expired, notify.OutcomeExpired, notify.InteractionExpired, "alpha"},
		"by timeout": {notify.Center, func(string) notify.Op { return notify.Tick{} }, time.Minute,
			notify.Expired, notify.OutcomeTimedOut, notify.InteractionTimedOut, "center"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			r := d.publish(notify.Publish{Content: ask})
			if r.Dismissible || !r.Waiting() {
				t.Errorf("it is born dismissible %v, waiting %v", r.Dismissible, r.Waiting())
			}
			d.refused(notify.CodeInteractionActive, notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
			d.later(c.wait)
			d.ok(c.by, c.op(r.ID))
			d.is(r.ID, c.status, c.outcome)
			got := d.get(r.ID)
			if got.InteractionState != c.state || got.Outcome.By != c.who || !got.Outcome.At.Equal(d.now) || got.Waiting() {
				t.Errorf("ended as %s, %+v", got.InteractionState, got.Outcome)
			}
			if _, isAnswer := c.op(r.ID).(notify.AnswerOp); c.by != notify.Center && !isAnswer && got.Outcome.Reason != "gone" {
				t.Errorf("the reason is %q", got.Outcome.Reason)
			}
		})
	}
	t.Run("cancelling what is no interaction", func(t *testing.T) {
		d := newDesk(t)
		r := d.publish(notify.Publish{})
		d.refused(notify.CodeNotInteraction, alpha, notify.Cancel{Target: notify.Target{ID: r.ID}})
		d.refused(notify.CodeNotInteraction, notify.Owner, notify.AnswerOp{ID: r.ID})
		d.refused(notify.CodeNotInteraction, alpha, notify.RejectAnswer{ID: r.ID, Reason: "x"})
	})
	t.Run("cancelling twice", func(t *testing.T) {
		d := newDesk(t)
		r := d.publish(notify.Publish{Content: ask})
		d.ok(alpha, notify.Cancel{Target: notify.Target{ID: r.ID}})
		if res := d.ok(alpha, notify.Cancel{Target: notify.Target{ID: r.ID}}); res.Verdict != notify.Unchanged {
			t.Errorf("again: %s", res.Verdict)
		}
		d.refused(notify.CodeTerminal, notify.Owner, notify.AnswerOp{ID: r.ID, Answer: answer("yes", "", nil)})
	})
}

// Proves: I3, L1
func TestRefusedAnswer(t *testing.T) {
	d := newDesk(t)
	r := d.publish(notify.Publish{Key: "q", Session: "s", Content: question(notify.Interaction{Options: []notify.Option{{ID: "yes"}}, TimeoutSeconds: 60})})
	d.refused(notify.CodeRevisionConflict, alpha, notify.RejectAnswer{ID: r.ID, Reason: "x"}) // there is none yet
	d.later(30 * time.Second)
	d.ok(notify.Owner, notify.AnswerOp{ID: r.ID, Answer: answer("yes", "", nil)})
	d.field("/reason", alpha, notify.RejectAnswer{ID: r.ID})
	d.later(time.Hour) // its deadline is long over
	d.ok(alpha, notify.RejectAnswer{ID: r.ID, Reason: "not on a Friday"})
	got := d.get(r.ID)
	if !got.Waiting() || got.Revision != 2 || got.InteractionError != "not on a Friday" || got.Outcome != nil || !got.EndedAt.IsZero() {
		t.Fatalf("it is %+v", got)
	}
	if !got.InteractionDeadline.Equal(d.now.Add(time.Minute)) {
		t.Errorf("its timeout starts anew at %v", got.InteractionDeadline)
	}
	if d.need("s") != notify.NeedConfirm {
		t.Error("its session does not need the owner")
	}
	d.ok(notify.Owner, notify.AnswerOp{ID: r.ID, Expect: rev(2), Answer: answer("yes", "", nil)})
	if got := d.get(r.ID); got.InteractionError != "" {
		t.Errorf("the error stays: %q", got.InteractionError)
	}
	// Asked anew meanwhile: too late.
	d.publish(notify.Publish{Key: "q", Session: "s", Content: yesNo()})
	d.refused(notify.CodeTerminal, alpha, notify.RejectAnswer{ID: r.ID, Reason: "x"})
	// Only an answer of the owner can be refused.
	x := d.publish(notify.Publish{Content: yesNo()})
	d.ok(alpha, notify.Resolve{Target: notify.Target{ID: x.ID}})
	d.refused(notify.CodeTerminal, alpha, notify.RejectAnswer{ID: x.ID, Reason: "x"})
}

// Proves: I4
func TestAnswerOnce(t *testing.T) {
	d := newDesk(t)
	r := d.publish(notify.Publish{Content: yesNo()})
	d.ok(notify.Owner, notify.AnswerOp{ID: r.ID, Expect: rev(1), Answer: answer("yes", "", nil)})
	for _, late := range []notify.Answer{answer("no", "", nil), answer("yes", "", nil)} {
		e := d.refused(notify.CodeAlreadyAnswered, notify.Owner, notify.AnswerOp{ID: r.ID, Expect: rev(1), Answer: late})
		if e.Current == nil || e.Current.Outcome.Answer.Option != "yes" {
			t.Errorf("the loser is shown %+v", e.Current)
		}
	}
	d.refused(notify.CodeAlreadyAnswered, alpha, notify.Cancel{Target: notify.Target{ID: r.ID}})
	if res := d.ok(alpha, notify.Resolve{Target: notify.Target{ID: r.ID}}); res.Verdict != notify.Unchanged || res.Record.Outcome.Kind != notify.OutcomeAnswered {
		t.Errorf("resolving what was answered: %s, %+v", res.Verdict, res.Record.Outcome)
	}
	// A question that changed is another: the answer to the old one is refused.
	q := d.publish(notify.Publish{Key: "q", Content: yesNo()})
	d.publish(notify.Publish{Key: "q", Content: yesNo()})
	d.refused(notify.CodeRevisionConflict, notify.Owner, notify.AnswerOp{ID: q.ID, Expect: rev(1), Answer: answer("yes", "", nil)})
}

// Proves: I5, A4, R2
func TestWaitingIsSeen(t *testing.T) {
	d := newDesk(t)
	c := yesNo()
	c.Retention = notify.Retention{Policy: notify.TTL, TTL: time.Minute}
	r := d.publish(notify.Publish{Session: "s", Content: c})
	seen := func(want int) {
		t.Helper()
		v, _ := d.m.SessionView(notify.SessionRef{Connection: "alpha", Session: "s"}, d.now)
		a := d.m.Attention(d.now)
		cv, _ := d.m.ConnectionView("alpha", d.now)
		if v.Waiting != want || a.Waiting != want || cv.Counts.Waiting != want || a.Confirm != want {
			t.Errorf("waiting: session %d, badge %d (confirm %d), connection %d; want %d", v.Waiting, a.Waiting, a.Confirm, cv.Counts.Waiting, want)
		}
	}
	seen(1)
	d.later(time.Hour) // its TTL does not hide that it waits
	seen(1)
	d.ok(notify.Owner, notify.AnswerOp{ID: r.ID, Answer: answer("yes", "", nil)})
	seen(0)
}

// Proves: I6
func TestAutomaticAnswers(t *testing.T) {
	auto := func(options ...notify.Option) notify.Content {
		return question(notify.Interaction{Options: options, Auto: &notify.Answer{Option: "yes"}})
	}
	d := newDesk(t)
	res := d.ok(alpha, notify.Publish{Content: auto(notify.Option{ID: "yes"}, notify.Option{ID: "no"})})
	r := res.Record
	if r.Status != notify.Resolved || r.Outcome.Kind != notify.OutcomeAutoAnswered || r.Outcome.Answer.Option != "yes" || !r.Read ||
		r.InteractionState != notify.InteractionAutoAnswered {
		t.Errorf("the receipt is %+v", r)
	}
	for _, c := range d.last {
		if c.Record != nil && !c.Quiet {
			t.Error("the receipt is announced")
		}
	}
	if a := d.m.Attention(d.now); a.Waiting != 0 || a.Unread != 0 {
		t.Errorf("the badge is %+v", a.Counts)
	}
	// With nothing to decide it leaves nothing.
	res = d.ok(alpha, notify.Publish{Content: auto(notify.Option{ID: "yes"})})
	if res.Verdict != notify.Unchanged || len(d.last) != 0 || res.Record.Status != notify.Resolved {
		t.Errorf("%s, %v", res.Verdict, names(d.last))
	}
}

// Proves: I7
func TestSetAside(t *testing.T) {
	d := newDesk(t)
	first := d.publish(notify.Publish{Key: "q", Content: yesNo()})
	d.later(time.Second)
	second := d.publish(notify.Publish{Content: yesNo()})
	d.later(time.Second)
	notice := d.publish(notify.Publish{})
	rail := func() (ids []string) {
		for _, r := range d.m.Rail(notify.SessionRef{}, d.now).Application {
			ids = append(ids, r.ID)
		}
		return ids
	}
	want := func(ids ...string) {
		t.Helper()
		if got := rail(); len(got) != len(ids) || got[0] != ids[0] || got[1] != ids[1] || got[2] != ids[2] {
			t.Errorf("the rail is %v, want %v", got, ids)
		}
		if a := d.m.Attention(d.now); a.Waiting != 2 {
			t.Errorf("waiting: %d", a.Waiting)
		}
	}
	want(first.ID, second.ID, notice.ID)
	d.ok(notify.Owner, notify.SetAside{ID: first.ID, For: time.Minute})
	want(second.ID, notice.ID, first.ID)
	if d.ok(notify.Owner, notify.SetAside{ID: first.ID, For: time.Minute}).Verdict != notify.Unchanged {
		t.Error("setting aside again is a change")
	}
	d.later(time.Minute)
	d.ok(notify.Center, notify.Tick{})
	want(first.ID, second.ID, notice.ID)
	if got := names(d.last); len(got) == 0 || got[0] != notify.EvResurfaced {
		t.Errorf("its time came as %v", got)
	}
	// Without a time: until it changes.
	d.ok(notify.Owner, notify.SetAside{ID: first.ID})
	d.later(1000 * time.Hour)
	d.ok(notify.Center, notify.Tick{})
	want(second.ID, notice.ID, first.ID)
	d.publish(notify.Publish{Key: "q", Content: yesNo()})
	want(first.ID, second.ID, notice.ID)
	// It is answerable all the time.
	d.ok(notify.Owner, notify.SetAside{ID: second.ID})
	d.ok(notify.Owner, notify.AnswerOp{ID: second.ID, Answer: answer("yes", "", nil)})
	d.refused(notify.CodeTerminal, notify.Owner, notify.SetAside{ID: second.ID})
	d.refused(notify.CodeNotInteraction, notify.Owner, notify.SetAside{ID: notice.ID})
}

// Proves: I8. T32, T35: at the deadline and by a hair around it each is either answered or timed out.
func TestDeadlineByAHair(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	answered, timedOut := 0, 0
	for range 1000 {
		d := newDesk(t)
		r := d.publish(notify.Publish{Content: question(notify.Interaction{Options: []notify.Option{{ID: "yes"}, {ID: "no"}},
			TimeoutSeconds: 10, TimeoutOption: "no"})})
		d.now = r.InteractionDeadline.Add(time.Duration(rnd.IntN(101)-50) * time.Millisecond)
		late := !d.now.Before(r.InteractionDeadline)
		_, err := d.do(notify.Owner, notify.AnswerOp{ID: r.ID, Expect: rev(1), Answer: answer("yes", "", nil)})
		if late {
			timedOut++
			var e *notify.Error
			if !errors.As(err, &e) || e.Code != notify.CodeTerminal || e.Current == nil || e.Current.Outcome.Kind != notify.OutcomeTimedOut {
				t.Fatalf("%v late: %v", d.now.Sub(r.InteractionDeadline), err)
			}
			d.is(r.ID, notify.Expired, notify.OutcomeTimedOut) // the refusal came with the timeout itself
			if got := d.get(r.ID).Outcome; got.By != "center" || got.Answer.Option != "no" {
				t.Fatalf("timed out as %+v", got)
			}
		} else {
			answered++
			if err != nil {
				t.Fatalf("%v early: %v", r.InteractionDeadline.Sub(d.now), err)
			}
			d.is(r.ID, notify.Resolved, notify.OutcomeAnswered)
		}
		d.later(time.Second)
		before := d.get(r.ID)
		d.ok(notify.Center, notify.Tick{})
		if d.get(r.ID) != before {
			t.Fatal("the sweep changed what had ended")
		}
	}
	if answered == 0 || timedOut == 0 {
		t.Errorf("answered %d, timed out %d", answered, timedOut)
	}
}

// Proves: I8, L4. T28: after a long sleep nothing finds it waiting, whatever comes first.
func TestNothingWaitsAfterItsDeadline(t *testing.T) {
	for name, op := range map[string]func(r *notify.Record) (notify.Actor, notify.Op){
		"a publication": func(r *notify.Record) (notify.Actor, notify.Op) {
			return alpha, notify.Publish{Key: "q", Content: notify.Content{Title: "T"}}
		},
		"a resolution": func(r *notify.Record) (notify.Actor, notify.Op) {
			return alpha, notify.Resolve{Target: notify.Target{Key: "q"}}
		},
		"a cancellation": func(r *notify.Record) (notify.Actor, notify.Op) {
			return alpha, notify.Cancel{Target: notify.Target{ID: r.ID}}
		},
		"an update": func(r *notify.Record) (notify.Actor, notify.Op) {
			return alpha, notify.Update{ID: r.ID, Fields: []string{"title"}, Changes: notify.Content{Title: "T"}}
		},
		"setting aside": func(r *notify.Record) (notify.Actor, notify.Op) { return notify.Owner, notify.SetAside{ID: r.ID} },
		"reading": func(r *notify.Record) (notify.Actor, notify.Op) {
			return notify.Owner, notify.SetRead{ID: r.ID, Read: true}
		},
		"a dismissal": func(r *notify.Record) (notify.Actor, notify.Op) {
			return notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)}
		},
		"the sweep": func(*notify.Record) (notify.Actor, notify.Op) { return notify.Center, notify.Tick{} },
		"the end of its session": func(*notify.Record) (notify.Actor, notify.Op) {
			return alpha, notify.EndSession{Session: "s"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			session := ""
			if name == "the end of its session" {
				session = "s"
			}
			r := d.publish(notify.Publish{Key: "q", Session: session, Content: question(notify.Interaction{Options: []notify.Option{{ID: "yes"}}, TimeoutSeconds: 600})})
			d.later(8 * time.Hour)
			by, what := op(r)
			_, err := d.do(by, what)
			if code := notify.CodeOf(err); code != "" && code != notify.CodeTerminal && code != notify.CodeNotFound {
				t.Errorf("refused with %v", err)
			}
			d.is(r.ID, notify.Expired, notify.OutcomeTimedOut)
			if name == "a publication" {
				if n, _ := d.m.Slot(notify.Slot{Connection: "alpha", Scope: notify.ScopeApplication, Key: "q"}); n.Occurrence != 2 {
					t.Errorf("the occurrence is %d", n.Occurrence)
				}
			}
		})
	}
}

// Proves: I9
func TestAnswerForOneWhoIsGone(t *testing.T) {
	d := newDesk(t)
	d.ok(alpha, notify.Hello{Lifetime: "one"})
	c := yesNo()
	c.Retention.Policy = notify.ServerLifetime
	bound, free := d.publish(notify.Publish{Content: c}), d.publish(notify.Publish{Content: yesNo()})
	d.later(12 * time.Hour) // it is away
	for _, r := range []*notify.Record{bound, free} {
		d.ok(notify.Owner, notify.AnswerOp{ID: r.ID, Answer: answer("yes", "", nil)})
	}
	conn, _ := d.m.Connection("alpha")
	if notify.Undeliverable(d.get(bound.ID), conn) || notify.Undeliverable(d.get(free.ID), conn) {
		t.Error("it may still return")
	}
	d.ok(alpha, notify.Hello{Lifetime: "two"}) // another run: it can't take the one bound to the first
	conn, _ = d.m.Connection("alpha")
	if !notify.Undeliverable(d.get(bound.ID), conn) || notify.Undeliverable(d.get(free.ID), conn) {
		t.Error("what is bound to the earlier run is lost, the other not")
	}
	d.ok(alpha, notify.DeliverAnswer{ID: free.ID})
	if !d.get(free.ID).AnswerDelivered || d.get(free.ID).Revision != 1 {
		t.Error("the delivery is not recorded")
	}
	if d.ok(alpha, notify.DeliverAnswer{ID: free.ID}).Verdict != notify.Unchanged {
		t.Error("delivering again is a change")
	}
	d.ok(notify.Owner, notify.RevokeConnection{ID: "alpha"})
	conn, _ = d.m.Connection("alpha")
	if !notify.Undeliverable(d.get(bound.ID), conn) || notify.Undeliverable(d.get(free.ID), conn) {
		t.Error("what was delivered stays delivered")
	}
}

// A question that waits under its key and is published again with the answer that was given elsewhere is
// a receipt from then on.
//
// Proves: I6
func TestAnAnswerGivenElsewhereEndsTheWait(t *testing.T) {
	answered := yesNo()
	answered.Interaction.Auto = &notify.Answer{Option: "yes"}
	for name, op := range map[string]func(r *notify.Record) notify.Op{
		"published": func(*notify.Record) notify.Op {
			return notify.Publish{Connection: "alpha", Key: "k", Content: answered}
		},
		"updated": func(r *notify.Record) notify.Op {
			return notify.Update{ID: r.ID, Fields: []string{"interaction"}, Changes: answered}
		},
	} {
		d := newDesk(t)
		r := d.publish(notify.Publish{Key: "k", Content: yesNo()})
		res := d.ok(alpha, op(r))
		d.is(r.ID, notify.Resolved, notify.OutcomeAutoAnswered)
		got := d.get(r.ID)
		if res.Verdict != notify.Updated || got.InteractionState != notify.InteractionAutoAnswered || got.Outcome.Answer.Option != "yes" || !got.Read || got.Revision != 2 {
			t.Errorf("%s: %s, %+v", name, res.Verdict, got)
		}
		for _, c := range d.last {
			if c.Record != nil && (!c.Quiet || c.Name != notify.EvResolved) {
				t.Errorf("%s: it is told as %s", name, c.Name)
			}
		}
		if n := d.m.Attention(d.now).Waiting; n != 0 {
			t.Errorf("%s: %d wait", name, n)
		}
	}
}
