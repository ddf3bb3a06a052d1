import base64
import json

import receiver

for vector in json.load(open("vectors.json", encoding="utf-8")):
    try:
        event = receiver.verify(
            base64.b64decode(vector["bodyBase64"]),
            vector["headers"],
            receiver.read_keys(vector["secrets"]),
            vector["now"],
            vector["toleranceSeconds"],
        )
        print("verdict", event["id"], event["type"])
    except (receiver.VerificationError, ValueError) as error:
        print("verdict", error)
receiver.main()
