package vm

import (
	"errors"

	"signalbox/notify"
)

// AsError finds the domain error in err.
func AsError(err error) (*notify.Error, bool) {
	var e *notify.Error
	ok := errors.As(err, &e)
	return e, ok
}

// Sentence is what the owner is told of an error: the safe sentence of a domain error, nothing of
// another, whose cause belongs to the log.
func Sentence(err error) string {
	if e, ok := AsError(err); ok {
		return e.Detail
	}
	return ""
}

// Trouble words a failure for the owner by its kind.
func Trouble(err error) Msg {
	switch notify.CodeOf(err) {
	case notify.CodeRevisionConflict:
		return M("trouble.conflict")
	case notify.CodeTerminal, notify.CodeNotFound:
		return M("trouble.over")
	case notify.CodeAlreadyAnswered:
		return M("trouble.answered")
	case notify.CodeNotDismissible, notify.CodeInteractionActive:
		return M("trouble.not_dismissible")
	case notify.CodeStorageFull:
		return M("trouble.storage_full")
	case notify.CodeUnavailable, notify.CodeRateLimited:
		return M("trouble.unavailable")
	case notify.CodeActionUnavailable:
		return M("trouble.action")
	case notify.CodeAnswerInvalid, notify.CodeInvalidField:
		if s := Sentence(err); s != "" {
			return MA("trouble.says", s)
		}
	}
	if s := Sentence(err); s != "" {
		return MA("trouble.says", s)
	}
	return M("trouble.unknown")
}

// tellErrors are what providers say went wrong, where there are words for it in the owner's language.
var tellErrors = map[string]string{
	"no sound server answers": "told_error.no_sound", "the sound server does not answer": "told_error.sound_hung",
	"there is no session bus": "told_error.no_bus", "no notification service is running": "told_error.no_daemon",
	"the notification service does not answer": "told_error.daemon_hung", "nobody was listening": "told_error.nobody",
}

// TellError is what a provider says went wrong in the owner's language; zero where there are no words for it.
func TellError(text string) Msg {
	if key := tellErrors[text]; key != "" {
		return M(key)
	}
	return Msg{}
}
