import type { Delivery } from '../../api/deliveries.ts'

/**
 * Shell commands that send a delivery again from any machine. They contain no secret: the person running them fills it in, and the
 * signature is computed at that time. The body is byte for byte the one that was sent.
 */
export function curlCommand({ request, eventId }: Pick<Delivery, 'request' | 'eventId'>): string {
  const headers = Object.entries(request.headers).filter(([name]) => !/webhook-|^accept-encoding$|^user-agent$/.test(name))
  const signed = [
    ...headers.map(([name, value]) => quoted(`${name}: ${value}`)),
    '"svc-webhook-id: $id"',
    '"svc-webhook-timestamp: $timestamp"',
    '"svc-webhook-signature: v1=$signature"',
  ]
  return `secret=whsec_…   # the signing secret of this endpoint
id=${quoted(eventId)}
body=${quoted(request.body)}
timestamp=$(date +%s)
key=$(printf %s "\${secret#whsec_}" | openssl base64 -d -A | od -An -vtx1 | tr -d ' \\n')
signature=$(printf %s "$id.$timestamp.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -r | cut -d' ' -f1)
printf %s "$body" | curl --include --request POST ${quoted(request.url)} \\
${signed.map((header) => `  --header ${header} \\`).join('\n')}
  --data-binary @-
`
}

/** Quotes any text as one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
