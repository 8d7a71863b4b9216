package nebula

import (
	"crypto/sha256"
	"encoding/hex"
)

// Hash names a content: lower-case hex SHA-256.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
