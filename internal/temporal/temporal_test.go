package temporal

import (
	"bytes"
	"testing"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
)

func said(id string) converter.SerializationContext {
	return converter.WorkflowSerializationContext{WorkflowID: id}
}

func does(id, activity string) converter.SerializationContext {
	return converter.ActivitySerializationContext{WorkflowID: id, ActivityType: activity}
}

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
	for name, c := range map[string]struct {
		from, to converter.SerializationContext
		opens    bool
	}{
		"the same plan":              {said("plan_e"), said("plan_e"), true},
		"the same activity":          {does("plan_e", doName), does("plan_e", doName), true},
		"on another queue":           {does("plan_e", doName), converter.ActivitySerializationContext{WorkflowID: "plan_e", ActivityType: doName, TaskQueue: "other"}, true},
		"a word for another plan":    {said("plan_e"), said("plan_d"), false},
		"a result for another plan":  {does("plan_e", doName), does("plan_d", doName), false},
		"a result for another thing": {does("plan_e", doName), does("plan_e", beginName), false},
		"a word as a result":         {said("plan_e"), does("plan_e", beginName), false},
	} {
		sealed, err := ours.WithSerializationContext(c.from).Encode([]*commonpb.Payload{plain})
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ours.WithSerializationContext(c.to).Decode(sealed); (err == nil) != c.opens || c.opens && !bytes.Equal(back[0].Data, plain.Data) {
			t.Errorf("%s: %v", name, err)
		}
	}
	sealed[0].Data[20] ^= 1
	if _, err := ours.Decode(sealed); err == nil {
		t.Error("what was changed is believed")
	}
}
