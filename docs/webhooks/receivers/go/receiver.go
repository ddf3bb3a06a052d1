// Receives webhooks from Querypost, with nothing but the standard library (Go 1.22 or newer).
//
//	QUERYPOST_WEBHOOK_SECRET=whsec_… go run receiver.go
//
// It listens on this machine only: let your https proxy pass requests on to it.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const maxBodyBytes = 1024 * 1024

var (
	secretForm    = regexp.MustCompile(`^whsec_[A-Za-z0-9+/]{32,86}={0,2}$`)
	idForm        = regexp.MustCompile(`^[A-Za-z0-9_-]{1,255}$`)
	timestampForm = regexp.MustCompile(`^[1-9][0-9]{0,11}$`)
	signatureForm = regexp.MustCompile(`^v1=[0-9a-f]{64}$`)
)

// Refused is why a request must not be trusted: a code, to be logged and answered.
type Refused string

func (code Refused) Error() string { return string(code) }

type Event struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	CreatedAt string          `json:"createdAt"`
	Data      json.RawMessage `json:"data"`
}

// ReadKeys gives one key for each secret; several while a secret is rotated.
func ReadKeys(secrets []string) ([][]byte, error) {
	bad := errors.New("bad_secret: QUERYPOST_WEBHOOK_SECRET is the whole whsec_… from the endpoint's settings")
	var keys [][]byte
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || !secretForm.MatchString(secret) {
			return nil, bad
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, bad
	}
	return keys, nil
}

// Verifier decides whether a request is genuine.
type Verifier struct {
	Keys             [][]byte
	Now              func() time.Time
	ToleranceSeconds int64
}

// Verify takes the raw body, and gives the event.
func (verifier Verifier) Verify(body []byte, headers http.Header) (event Event, err error) {
	var values [3]string
	for index, part := range []string{"id", "timestamp", "signature"} {
		given := strings.Join(headers.Values("svc-webhook-"+part), ", ")
		if given == "" {
			return event, Refused("missing_header")
		}
		if strings.Contains(given, ", ") {
			return event, Refused("duplicate_header")
		}
		values[index] = given
	}
	id, timestamp := values[0], values[1]
	// With these two forms the signed text can be divided in one way only.
	if !idForm.MatchString(id) {
		return event, Refused("bad_id")
	}
	if !timestampForm.MatchString(timestamp) {
		return event, Refused("bad_timestamp")
	}
	isWellFormed, isGenuine := false, false
	for _, given := range strings.Split(values[2], " ") {
		if !signatureForm.MatchString(given) {
			continue
		}
		isWellFormed = true
		for _, key := range verifier.Keys {
			mac := hmac.New(sha256.New, key)
			mac.Write([]byte(id + "." + timestamp + "."))
			mac.Write(body)
			if hmac.Equal([]byte(given), []byte("v1="+hex.EncodeToString(mac.Sum(nil)))) {
				isGenuine = true
			}
		}
	}
	if !isWellFormed {
		return event, Refused("bad_signature_format")
	}
	if !isGenuine {
		return event, Refused("signature_mismatch")
	}

	sentSeconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return event, Refused("bad_timestamp")
	}
	ageSeconds := verifier.Now().Unix() - sentSeconds
	if ageSeconds > verifier.ToleranceSeconds {
		return event, Refused("timestamp_too_old")
	}
	if -ageSeconds > verifier.ToleranceSeconds {
		return event, Refused("timestamp_too_new")
	}

	if !utf8.Valid(body) || json.Unmarshal(body, &event) != nil {
		return event, Refused("bad_envelope")
	}
	if event.ID == "" || event.Type == "" || !strings.HasPrefix(string(event.Data), "{") {
		return event, Refused("bad_envelope")
	}
	if event.ID != id {
		return event, Refused("id_mismatch")
	}
	return event, nil
}

// store keeps the event as the file events/<id>; false if it is there already. The work is done by whoever takes the files
// from there, after the answer. The file appears whole or not at all, whatever crashes.
func store(id string, body []byte) (isNew bool, err error) {
	if err := os.MkdirAll("events", 0o755); err != nil {
		return false, err
	}
	file, err := os.CreateTemp("events", ".")
	if err != nil {
		return false, err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(body)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return false, err
	}
	err = os.Link(file.Name(), filepath.Join("events", id))
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

func (verifier Verifier) receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBodyBytes))
	if err != nil {
		http.Error(response, "the body cannot be read, or is too large", http.StatusRequestEntityTooLarge)
		return
	}
	event, err := verifier.Verify(body, request.Header)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	isNew, err := store(event.ID, body)
	if err != nil {
		log.Print(err)
		response.WriteHeader(http.StatusInternalServerError) // it will be sent again
		return
	}
	fmt.Println(map[bool]string{true: "stored", false: "had already"}[isNew], event.ID, event.Type)
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	keys, err := ReadKeys(strings.Split(os.Getenv("QUERYPOST_WEBHOOK_SECRET"), " "))
	if err != nil {
		log.Fatal(err)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Listening on http://%s/hook\n", listener.Addr())
	http.HandleFunc("POST /hook", Verifier{Keys: keys, Now: time.Now, ToleranceSeconds: 300}.receive)
	server := http.Server{ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}
