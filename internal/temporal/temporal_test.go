package temporal

import (
	"bytes"
	"testing"

	commonpb "go.temporal.io/api/common/v1"
)

// TestHistoriesHoldNothingToRead: what is encoded says nothing of its content, comes back to the byte, and only with its key.
func TestHistoriesHoldNothingToRead(t *testing.T) {
	ours, err := newCodec("the key of a team, long enough")
	if err != nil {
		t.Fatal(err)
	}
	other, err := newCodec("the key of another team, long enough")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newCodec("short"); err == nil {
		t.Error("a short key is taken")
	}
	plain := &commonpb.Payload{Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte(`{"text":"rename the ledger"}`)}
	sealed, err := ours.Encode([]*commonpb.Payload{plain, plain})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(sealed[0].Data, []byte("ledger")) || bytes.Equal(sealed[0].Data, sealed[1].Data) {
		t.Error("it can be read, or the same twice looks the same")
	}
	back, err := ours.Decode(sealed)
	if err != nil || !bytes.Equal(back[0].Data, plain.Data) {
		t.Errorf("it comes back as %v (%v)", back, err)
	}
	if _, err := other.Decode(sealed); err == nil {
		t.Error("another key opens it")
	}
	if _, err := ours.Decode([]*commonpb.Payload{plain}); err == nil {
		t.Error("what nobody encrypted is believed")
	}
	sealed[0].Data[20] ^= 1
	if _, err := ours.Decode(sealed); err == nil {
		t.Error("what was changed is believed")
	}
}
