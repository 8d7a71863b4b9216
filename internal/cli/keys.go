package cli

import (
	"fmt"
	"strings"

	"nebula/internal/config"
	"nebula/internal/model"
)

type keyFound struct{ setting, source string }

// keysInEnvironment are the providers' keys that the environment holds, without the keys.
func keysInEnvironment(c config.Config) []keyFound {
	var found []keyFound
	for _, name := range model.Providers() {
		if key, source := c.Credential(name, model.KeyNames(name)...); key.Set() && strings.HasPrefix(source, "env ") {
			found = append(found, keyFound{fmt.Sprintf("providers.%s.key", name), source})
		}
	}
	return found
}
