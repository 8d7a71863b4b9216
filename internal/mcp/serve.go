package mcp

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Lent tool is one of nebula's that others may use. It changes nothing.
type Lent struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Do          func(ctx context.Context, args json.RawMessage) (string, error)
}

// Serve lends tools over standard input and output until the input ends.
func Serve(ctx context.Context, version string, lent []Lent) error {
	return serve(ctx, version, lent, &mcp.StdioTransport{})
}

func serve(ctx context.Context, version string, lent []Lent, over mcp.Transport) error {
	server := mcp.NewServer(&mcp.Implementation{Name: "nebula", Version: version}, nil)
	for _, l := range lent {
		t := &mcp.Tool{Name: l.Name, Description: l.Description, InputSchema: l.Schema, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
		server.AddTool(t, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			out := &mcp.CallToolResult{}
			if err := fits(l.Schema, r.Params.Arguments); err != nil {
				out.SetError(err)
				return out, nil
			}
			text, err := l.Do(ctx, r.Params.Arguments)
			if err != nil {
				out.SetError(err)
				return out, nil
			}
			out.Content = []mcp.Content{&mcp.TextContent{Text: text}}
			return out, nil
		})
	}
	err := server.Run(ctx, over)
	if ctx.Err() != nil {
		return nil // it was asked to end
	}
	return err
}
