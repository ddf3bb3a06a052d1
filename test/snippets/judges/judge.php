<?php

require 'receiver.php';

foreach (json_decode(file_get_contents('vectors.json'), true) as $vector) {
    try {
        $body = base64_decode($vector['bodyBase64']);
        $keys = read_keys($vector['secrets']);
        $event = verify($body, $vector['headers'], $keys, $vector['now'], $vector['toleranceSeconds']);
        echo "verdict $event->id $event->type\n";
    } catch (Exception $error) {
        echo "verdict {$error->getMessage()}\n";
    }
}
