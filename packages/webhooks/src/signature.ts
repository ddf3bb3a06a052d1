import { toBase64, toHex } from './bytes.ts'
import { WebhookVerificationError } from './errors.ts'
import type { Claim } from './headers.ts'

/**
 * The signature is HMAC-SHA256 over `<id>.<timestamp>.<raw body>`. Both families carry the same digest: `v1=<hex>` and
 * `v1,<base64>`. Either header may list several signatures, separated by spaces; unknown versions are skipped, so that a later one
 * can be sent along with `v1`.
 */
const formats = {
  svc: {
    header: 'svc-webhook-signature',
    form: /^v1=([0-9a-f]{64})$/,
    example: 'v1=<64 lower-case hex digits>',
    mark: 'v1=',
    write: toHex,
  },
  standard: {
    header: 'webhook-signature',
    form: /^v1,([A-Za-z0-9+/]{43}=)$/,
    example: 'v1,<base64 of 32 bytes>',
    mark: 'v1,',
    write: toBase64,
  },
} as const

export async function digest(key: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const subtle = (globalThis as Partial<typeof globalThis>).crypto?.subtle
  if (!subtle) {
    throw new WebhookVerificationError(
      'crypto_unavailable',
      'This runtime has no crypto.subtle. Use Node 20 or newer, Deno, Bun or a worker; browsers have it only on ' +
        'pages served over https.',
    )
  }
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await subtle.sign('HMAC', imported, content))
}

/** The signatures after `v1`. Throws if the header has none. */
export function readCandidates(claim: Claim): string[] {
  const { form, example, header } = formats[claim.family]
  const candidates = claim.signature.split(' ').flatMap((text) => form.exec(text)?.[1] ?? [])
  if (candidates.length === 0) {
    throw new WebhookVerificationError(
      'bad_signature_format',
      `${header} has no signature of the form ${example}. Pass the header unchanged.`,
    )
  }
  return candidates
}

/** Whether any candidate equals any of the digests. Every pair is compared completely, so the timing reveals nothing. */
export function anyMatches(options: { family: Claim['family']; candidates: string[]; digests: Uint8Array[] }): boolean {
  const encoder = new TextEncoder()
  const given = options.candidates.map((text) => encoder.encode(text))
  const expected = options.digests.map((bytes) => encoder.encode(formats[options.family].write(bytes)))
  let matches = 0
  for (const left of given) for (const right of expected) matches |= equalsInConstantTime(left, right)
  return matches === 1
}

/** 1 if equal, 0 if not, without branching on the bytes. */
export function equalsInConstantTime(left: ArrayLike<number>, right: ArrayLike<number>): 0 | 1 {
  if (left.length !== right.length) return 0
  let difference = 0
  for (let index = 0; index < left.length; index++) difference |= left[index]! ^ right[index]!
  // Only 0 - 1 has its top bit set: a byte's difference is 0 to 255.
  return (((difference - 1) >>> 31) & 1) as 0 | 1
}

export function writeSignature(family: Claim['family'], bytes: Uint8Array): string {
  return `${formats[family].mark}${formats[family].write(bytes)}`
}
