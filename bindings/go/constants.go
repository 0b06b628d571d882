// SPDX-License-Identifier: Apache-2.0

package mtoken

import (
	"fmt"
	"strings"
)

// constantName is the constant of a value; of flags, those that make it up. Unknown values are numbers.
func constantName(kind string, names map[int32]string, value int32, isFlags bool) string {
	if name, ok := names[value]; ok {
		return name
	}
	var found []string
	for bit := int32(1); isFlags && bit > 0; bit <<= 1 {
		if name, ok := names[value&bit]; ok && value&bit != 0 {
			found = append(found, name)
			value &^= bit
		}
	}
	if value != 0 || found == nil {
		found = append(found, fmt.Sprintf("%s(%d)", kind, value))
	}
	return strings.Join(found, "|")
}
