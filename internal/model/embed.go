package model

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"nebula"
	"nebula/internal/model/transport"
)

// maxEmbedded bounds an answer of a server.
const maxEmbedded = 64 << 20

// compatible is the address below which a server speaks OpenAI's forms.
func compatible(at Endpoint) string {
	if p, ok := providerNamed(at.Provider); ok && at.BaseURL == p.base {
		return at.BaseURL + p.openai
	}
	return at.BaseURL
}

// Embed asks a server what texts mean, as vectors in their order. It is sent once: whoever asks can do without.
func Embed(ctx context.Context, at Endpoint, texts []string) ([][]float32, error) {
	body, err := json.Marshal(map[string]any{"model": at.Model, "input": texts})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, transport.URL(compatible(at), "/embeddings"), bytes.NewReader(body))
	if err != nil {
		return nil, nebula.Errorf("embeddings of %s: the address is none", at)
	}
	req.Header.Set("Content-Type", "application/json")
	if at.Key != "" {
		req.Header.Set("Authorization", "Bearer "+at.Key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, nebula.Errorf("embeddings of %s: the server does not answer", at)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxEmbedded))
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil, nebula.Errorf("embeddings of %s: the server answered %s", at, resp.Status)
	}
	var answer struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &answer); err != nil || len(answer.Data) != len(texts) {
		return nil, nebula.Errorf("embeddings of %s: the server's answer could not be read", at)
	}
	vectors := make([][]float32, len(texts))
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= len(vectors) || len(d.Embedding) == 0 || vectors[d.Index] != nil {
			return nil, nebula.Errorf("embeddings of %s: the server's answer does not fit", at)
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}
