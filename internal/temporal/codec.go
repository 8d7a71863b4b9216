package temporal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"

	"nebula"
)

// A codec encrypts what goes into histories: the engine and whoever reads its database see lengths and times.
type codec struct {
	seal cipher.AEAD
	name string // of the key: the beginning of its hash
	of   string // what it belongs to: the workflow, and the activity where it is one's
}

// WithSerializationContext implements converter.PayloadCodecWithSerializationContext: what was said to one workflow, or came of one
// activity, can be read nowhere else. Whoever writes to the engine without the key can bring nothing from one plan to another.
func (c codec) WithSerializationContext(at converter.SerializationContext) converter.PayloadCodec {
	switch at := at.(type) {
	case converter.WorkflowSerializationContext:
		c.of = at.WorkflowID
	case converter.ActivitySerializationContext:
		c.of = at.WorkflowID + "\n" + at.ActivityType
	}
	return c
}

// bound is what a payload is sealed together with.
func (c codec) bound() []byte { return []byte(c.name + "\n" + c.of) }

// encoding is what encrypted payloads say of themselves.
const encoding, encodedWith, encodedBy = "binary/encrypted", "encoding", "key"

// newCodec takes the team's key, any text that is not short.
func newCodec(key string) (codec, error) {
	if len(key) < 16 {
		return codec{}, nebula.Errorf("the key for workflow histories (fleet.key) has fewer than 16 characters")
	}
	sum := sha256.Sum256([]byte("nebula fleet 1\n" + key))
	block, err := aes.NewCipher(sum[:])
	if err != nil {
		return codec{}, err
	}
	seal, err := cipher.NewGCM(block)
	name := sha256.Sum256(sum[:])
	return codec{seal: seal, name: hex.EncodeToString(name[:4])}, err
}

// Encode implements converter.PayloadCodec.
func (c codec) Encode(list []*commonpb.Payload) ([]*commonpb.Payload, error) {
	out := make([]*commonpb.Payload, len(list))
	for i, p := range list {
		plain, err := proto.Marshal(p)
		if err != nil {
			return nil, err
		}
		nonce := make([]byte, c.seal.NonceSize())
		_, _ = rand.Read(nonce) // never fails
		out[i] = &commonpb.Payload{
			Metadata: map[string][]byte{encodedWith: []byte(encoding), encodedBy: []byte(c.name)},
			Data:     c.seal.Seal(nonce, nonce, plain, c.bound()),
		}
	}
	return out, nil
}

func otherKey(there, here string) error {
	return nebula.Errorf("the workflow was written with another key (%s, and here is %s); give all the same fleet.key", there, here)
}

// Decode implements converter.PayloadCodec. What is not encrypted is refused: nobody here wrote it.
func (c codec) Decode(list []*commonpb.Payload) ([]*commonpb.Payload, error) {
	out := make([]*commonpb.Payload, len(list))
	for i, p := range list {
		if string(p.Metadata[encodedWith]) != encoding {
			return nil, fmt.Errorf("a payload in the history is not encrypted (%q)", p.Metadata[encodedWith])
		}
		if by := string(p.Metadata[encodedBy]); by != c.name {
			return nil, otherKey(by, c.name)
		}
		n := c.seal.NonceSize()
		if len(p.Data) < n {
			return nil, fmt.Errorf("a payload in the history is cut off")
		}
		plain, err := c.seal.Open(nil, p.Data[:n], p.Data[n:], c.bound())
		if err != nil {
			return nil, fmt.Errorf("a payload in the history: %w", err)
		}
		out[i] = &commonpb.Payload{}
		if err := proto.Unmarshal(plain, out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}
