package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/headless"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/record"
)

// The exit codes that are part of nebula's interface.
const (
	exitFailed   = 1
	exitMissing  = 3 // an approval or an answer
	exitAPI      = 4
	exitRecord   = 5 // something could not be recorded, or is damaged
	exitLimit    = 6
	exitUsage    = 64
	exitSignal   = 128 // plus the signal's number
	closedPipe   = 13  // SIGPIPE
	interrupted  = 2   // SIGINT
	exitNoFolder = exitUsage
)

// An exit is an error that knows its code. Without words nothing more is said.
type exit struct {
	code  int
	words nebula.Words
}

// Error is the sentence in English.
func (e *exit) Error() string { return e.words.String() }

// Words implements [nebula.Speaker].
func (e *exit) Words() nebula.Words { return e.words }

//go:noinline
func fail(code int, format string, args ...any) error {
	return &exit{code, nebula.Say(format, args...)}
}

//go:noinline
func usage(format string, args ...any) error { return fail(exitUsage, format, args...) }

// code is the exit code for how a command ended.
func code(err error) int {
	var (
		own     *exit
		value   *config.ValueError
		parse   *config.ParseError
		file    *config.FileError
		owner   *config.OwnerError
		written *config.WriteError
		fault   record.Fault
		broken  *nebula.Broken
		several *nebula.Ambiguous
		api     *nebula.APIError
	)
	switch {
	case err == nil:
		return 0
	case errors.As(err, &own):
		return own.code
	case errors.As(err, &value), errors.As(err, &several), errors.Is(err, nebula.ErrNoSession):
		return exitUsage
	case errors.As(err, &parse), errors.As(err, &file), errors.As(err, &owner), errors.As(err, &written), errors.As(err, &fault), errors.As(err, &broken), errors.Is(err, nebula.ErrInUse), errors.Is(err, model.ErrNotRecorded):
		return exitRecord
	case errors.As(err, &api):
		return exitAPI
	case errors.Is(err, headless.ErrClosedPipe), errors.Is(err, syscall.EPIPE):
		return exitSignal + closedPipe
	case errors.Is(err, context.Canceled):
		return exitSignal + interrupted
	}
	return exitFailed
}

// message is what a person reads of an error: one line, or nothing.
func (p *program) message(err error) string {
	switch {
	case err == nil, errors.Is(err, headless.ErrClosedPipe), errors.Is(err, syscall.EPIPE):
		return ""
	case errors.Is(err, nebula.ErrNoSession):
		return phrase.OneLine(p.say("%w; nebula sessions --all lists them", err), 0)
	case errors.Is(err, nebula.ErrInUse):
		return phrase.OneLine(p.say("%w; close it there or begin a new session here; one that nebula serve holds is joined with nebula attach", err), 0)
	}
	return phrase.OneLine(p.tongue().error(err), 0)
}

// quietPipe keeps a closed standard output from killing the process: what was begun is to be recorded first.
func quietPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
