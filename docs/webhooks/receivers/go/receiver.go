// Receives webhooks from Querypost. Requires Go 1.22 or newer and only the standard library.
//
//	QUERYPOST_WEBHOOK_SECRET=whsec_… go run receiver.go
//
// It listens on localhost only: put your HTTPS proxy in front of it.
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

// VerificationError says why a request is not genuine: an error code to log and return.
type VerificationError string

func (code VerificationError) Error() string { return string(code) }

type Event struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	CreatedAt string          `json:"createdAt"`
	Data      json.RawMessage `json:"data"`
}

// ReadKeys decodes the secrets; during rotation there are several.
func ReadKeys(secrets []string) ([][]byte, error) {
	bad := errors.New("bad_secret: QUERYPOST_WEBHOOK_SECRET must be the full whsec_… secret from the endpoint's settings")
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

// Verifier checks that a request is genuine.
type Verifier struct {
	Keys             [][]byte
	Now              func() time.Time
	ToleranceSeconds int64
}

// Verify takes the raw body and returns the event.
func (verifier Verifier) Verify(body []byte, headers http.Header) (event Event, err error) {
	var values [3]string
	for index, part := range []string{"id", "timestamp", "signature"} {
		given := strings.Join(headers.Values("svc-webhook-"+part), ", ")
		if given == "" {
			return event, VerificationError("missing_header")
		}
		if strings.Contains(given, ", ") {
			return event, VerificationError("duplicate_header")
		}
		values[index] = given
	}
	id, timestamp := values[0], values[1]
	// Strict formats for id and timestamp leave only one way to split the signed text.
	if !idForm.MatchString(id) {
		return event, VerificationError("bad_id")
	}
	if !timestampForm.MatchString(timestamp) {
		return event, VerificationError("bad_timestamp")
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
		return event, VerificationError("bad_signature_format")
	}
	if !isGenuine {
		return event, VerificationError("signature_mismatch")
	}

	sentSeconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return event, VerificationError("bad_timestamp")
	}
	ageSeconds := verifier.Now().Unix() - sentSeconds
	if ageSeconds > verifier.ToleranceSeconds {
		return event, VerificationError("timestamp_too_old")
	}
	if -ageSeconds > verifier.ToleranceSeconds {
		return event, VerificationError("timestamp_too_new")
	}

	if !utf8.Valid(body) || json.Unmarshal(body, &event) != nil {
		return event, VerificationError("bad_envelope")
	}
	if event.ID == "" || event.Type == "" || !strings.HasPrefix(string(event.Data), "{") {
		return event, VerificationError("bad_envelope")
	}
	if event.ID != id {
		return event, VerificationError("id_mismatch")
	}
	return event, nil
}

// store writes the event to the file events/<id> and returns false if it already exists. Process the files separately, after
// the response. The file appears complete or not at all, even after a crash.
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
		http.Error(response, "body unreadable or too large", http.StatusRequestEntityTooLarge)
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
		response.WriteHeader(http.StatusInternalServerError) // the event will be sent again
		return
	}
	fmt.Println(map[bool]string{true: "stored", false: "duplicate"}[isNew], event.ID, event.Type)
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
