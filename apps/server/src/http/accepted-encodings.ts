type Header = string | string[] | undefined

/** See RFC 9110, 12.5.3: gzip, or else `*`, must be listed with a weight above 0. */
export function acceptsGzip(header: Header): boolean {
  const weights = weightsOf(header)
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}

/** Only if it is listed: programs that write `*` often mean what they know. */
export const acceptsBrotli = (header: Header): boolean => (weightsOf(header).get('br') ?? 0) > 0
export const acceptsZstd = (header: Header): boolean => (weightsOf(header).get('zstd') ?? 0) > 0

function weightsOf(header: Header): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of String(header ?? '').toLowerCase().split(',')) {
    const [coding, ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    weights.set(coding!, weight === undefined ? 1 : Number(weight))
  }
  return weights
}
