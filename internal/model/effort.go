package model

import (
	"nebula"
	"nebula/internal/model/transport"
)

// How servers of Chat Completions are told how much to think. What one refuses is left out.
var (
	byWord = transport.Efforts{
		nebula.EffortOff:    {`,"reasoning_effort":"none"`, `,"reasoning_effort":"minimal"`, `,"reasoning_effort":"low"`},
		nebula.EffortLow:    {`,"reasoning_effort":"low"`},
		nebula.EffortMedium: {`,"reasoning_effort":"medium"`, `,"reasoning_effort":"high"`},
		nebula.EffortHigh:   {`,"reasoning_effort":"high"`},
		nebula.EffortMax:    {`,"reasoning_effort":"xhigh"`, `,"reasoning_effort":"high"`},
	}
	byRouter = transport.Efforts{
		nebula.EffortOff:    {`,"reasoning":{"enabled":false}`, `,"reasoning":{"effort":"minimal"}`, `,"reasoning":{"effort":"low"}`},
		nebula.EffortLow:    {`,"reasoning":{"effort":"low"}`},
		nebula.EffortMedium: {`,"reasoning":{"effort":"medium"}`},
		nebula.EffortHigh:   {`,"reasoning":{"effort":"high"}`},
		nebula.EffortMax:    {`,"reasoning":{"effort":"xhigh"}`, `,"reasoning":{"effort":"high"}`},
	}
	bySwitch = transport.Efforts{
		nebula.EffortOff:    {`,"thinking":{"type":"disabled"}`},
		nebula.EffortLow:    {`,"thinking":{"type":"enabled"}`},
		nebula.EffortMedium: {`,"thinking":{"type":"enabled"}`},
		nebula.EffortHigh:   {`,"thinking":{"type":"enabled"}`},
		nebula.EffortMax:    {`,"thinking":{"type":"enabled"}`},
	}
	byTemplate = transport.Efforts{
		nebula.EffortOff:    {`,"chat_template_kwargs":{"enable_thinking":false}`},
		nebula.EffortLow:    {`,"chat_template_kwargs":{"enable_thinking":true,"reasoning_effort":"low"}`},
		nebula.EffortMedium: {`,"chat_template_kwargs":{"enable_thinking":true,"reasoning_effort":"medium"}`},
		nebula.EffortHigh:   {`,"chat_template_kwargs":{"enable_thinking":true,"reasoning_effort":"high"}`},
		nebula.EffortMax:    {`,"chat_template_kwargs":{"enable_thinking":true,"reasoning_effort":"high"}`},
	}
)
