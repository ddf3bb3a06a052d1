import type { Delivery } from '../../api/deliveries.ts'

/**
 * A delivery as commands for a shell that send it again from wherever they are run. They hold no secret: whoever runs them puts it
 * in, and the signature is computed from it then, for the time of then. The body is the very bytes that are sent.
 */
export function curlCommand({ request, eventId }: Pick<Delivery, 'request' | 'eventId'>): string {
  const headers = Object.entries(request.headers).filter(([name]) => !/webhook-|^accept-encoding$|^user-agent$/.test(name))
  const signed = [
    ...headers.map(([name, value]) => quoted(`${name}: ${value}`)),
    '"svc-webhook-id: $id"',
    '"svc-webhook-timestamp: $timestamp"',
    '"svc-webhook-signature: v1=$signature"',
  ]
  return `secret=whsec_…   # this endpoint's secret, from its settings
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

/** As one word of a POSIX shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
