package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

// It runs before the receiver's main.
func init() {
	var vectors []struct {
		Secrets          []string
		Headers          map[string]string
		BodyBase64       string
		Now              int64
		ToleranceSeconds int64
	}
	text, err := os.ReadFile("vectors.json")
	if err == nil {
		err = json.Unmarshal(text, &vectors)
	}
	if err != nil {
		panic(err)
	}
	for _, vector := range vectors {
		headers := http.Header{}
		for name, value := range vector.Headers {
			headers.Set(name, value)
		}
		body, _ := base64.StdEncoding.DecodeString(vector.BodyBase64)
		keys, err := ReadKeys(vector.Secrets)
		var event Event
		if err == nil {
			now := func() time.Time { return time.Unix(vector.Now, 0) }
			event, err = Verifier{Keys: keys, Now: now, ToleranceSeconds: vector.ToleranceSeconds}.Verify(body, headers)
		}
		if err != nil {
			fmt.Println("verdict", err)
		} else {
			fmt.Println("verdict", event.ID, event.Type)
		}
	}
}
