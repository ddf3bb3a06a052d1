<?php

// Receives webhooks from Querypost. Requires PHP 8.1 or newer and no packages.
//
//     QUERYPOST_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:4000 receiver.php
//
// PHP's built-in server is for development. In production, put the same file behind your web server.

declare(strict_types=1);

const MAX_BODY_BYTES = 1024 * 1024;

/** The request is not genuine. The message is an error code to log and return. */
final class VerificationError extends Exception {}

/** Decodes the secrets; during rotation there are several. */
function read_keys(array $secrets): array
{
    $keys = [];
    foreach ($secrets as $secret) {
        $isWellFormed = preg_match('~^whsec_[A-Za-z0-9+/]{32,86}={0,2}$~D', $secret) === 1;
        $keys[] = $isWellFormed ? base64_decode(substr($secret, strlen('whsec_')), true) : false;
    }
    if ($keys === [] || in_array(false, $keys, true)) {
        throw new RuntimeException("bad_secret: QUERYPOST_WEBHOOK_SECRET must be the full whsec_… secret from the endpoint's settings");
    }
    return $keys;
}

/** Returns the verified event. $body is the raw bytes; $headers has lowercase names. */
function verify(string $body, array $headers, array $keys, ?int $nowSeconds = null, int $toleranceSeconds = 300): stdClass
{
    $values = [];
    foreach (['id', 'timestamp', 'signature'] as $part) {
        $values[] = $value = $headers["svc-webhook-$part"] ?? '';
        if ($value === '') {
            throw new VerificationError('missing_header');
        }
        if (str_contains($value, ', ')) { // servers join repeated headers this way
            throw new VerificationError('duplicate_header');
        }
    }
    [$id, $timestamp, $signature] = $values;
    // Strict formats for id and timestamp leave only one way to split the signed text.
    if (preg_match('/^[A-Za-z0-9_-]{1,255}$/D', $id) !== 1) {
        throw new VerificationError('bad_id');
    }
    if (preg_match('/^[1-9][0-9]{0,11}$/D', $timestamp) !== 1) {
        throw new VerificationError('bad_timestamp');
    }
    $given = preg_grep('/^v1=[0-9a-f]{64}$/D', explode(' ', $signature));
    if ($given === []) {
        throw new VerificationError('bad_signature_format');
    }

    $isGenuine = false;
    foreach ($keys as $key) {
        $expected = 'v1=' . hash_hmac('sha256', "$id.$timestamp.$body", $key);
        foreach ($given as $one) {
            $isGenuine = hash_equals($expected, $one) || $isGenuine;
        }
    }
    if (!$isGenuine) {
        throw new VerificationError('signature_mismatch');
    }

    $ageSeconds = ($nowSeconds ?? time()) - (int) $timestamp;
    if ($ageSeconds > $toleranceSeconds) {
        throw new VerificationError('timestamp_too_old');
    }
    if ($ageSeconds < -$toleranceSeconds) {
        throw new VerificationError('timestamp_too_new');
    }

    $event = json_decode($body); // null unless it is JSON in UTF-8
    if (!is_string($event->id ?? null) || !is_string($event->type ?? null) || !(($event->data ?? null) instanceof stdClass)) {
        throw new VerificationError('bad_envelope');
    }
    if ($event->id !== $id) {
        throw new VerificationError('id_mismatch');
    }
    return $event;
}

/**
 * Stores the event as the file `events/<id>`; returns false if it already exists. Process the files separately, after the
 * response. The file appears complete or not at all, even after a crash.
 */
function store(string $id, string $body): bool
{
    if (!is_dir('events')) {
        @mkdir('events'); // another request may create it at the same time
    }
    $temporary = tempnam('events', '.');
    $file = fopen($temporary, 'wb');
    $isWritten = fwrite($file, $body) === strlen($body) && fsync($file) && fclose($file);
    $isNew = $isWritten && @link($temporary, "events/$id");
    unlink($temporary);
    if (!$isNew && !is_file("events/$id")) {
        throw new RuntimeException('The event could not be stored.');
    }
    return $isNew;
}

function receive(): void
{
    http_response_code(500); // unless everything succeeds; the event will be sent again
    $keys = read_keys(explode(' ', getenv('QUERYPOST_WEBHOOK_SECRET') ?: ''));
    if ($_SERVER['REQUEST_METHOD'] !== 'POST' || strtok($_SERVER['REQUEST_URI'], '?') !== '/hook') {
        http_response_code(404);
        return;
    }
    $body = (string) file_get_contents('php://input', length: MAX_BODY_BYTES + 1);
    if (strlen($body) > MAX_BODY_BYTES) {
        http_response_code(413);
        return;
    }
    $headers = [];
    foreach (['id', 'timestamp', 'signature'] as $part) {
        $headers["svc-webhook-$part"] = $_SERVER['HTTP_SVC_WEBHOOK_' . strtoupper($part)] ?? '';
    }
    try {
        $event = verify($body, $headers, $keys);
    } catch (VerificationError $error) {
        http_response_code(400);
        echo $error->getMessage();
        return;
    }
    error_log((store($event->id, $body) ? 'stored' : 'duplicate') . " $event->id $event->type");
    http_response_code(204);
}

if (PHP_SAPI !== 'cli') {
    receive();
}
