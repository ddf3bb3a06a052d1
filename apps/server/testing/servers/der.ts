/** The subset of ASN.1 DER that a certificate needs. */
export function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

export function set(...parts: Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(parts))
}

/** A positive integer, from its bytes. */
export function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes)
}

export const yes: Buffer = tagged(0x01, Buffer.of(0xff))

export function octets(content: Buffer): Buffer {
  return tagged(0x04, content)
}

/** A whole number of bytes, or with `unusedBits` at the end. */
export function bits(content: Buffer, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.of(unusedBits), content]))
}

export function text(value: string): Buffer {
  return tagged(0x0c, Buffer.from(value))
}

/** GeneralizedTime, to the second. */
export function time(value: Date): Buffer {
  return tagged(0x18, Buffer.from(`${value.toISOString().replaceAll(/\.\d+|[-:TZ]/g, '')}Z`))
}

export function objectId(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  return tagged(0x06, Buffer.from([first! * 40 + second!, ...rest.flatMap(septets)]))
}

/** A context-specific tag. `isConstructed` if it contains other values. */
export function context(number: number, content: Buffer, isConstructed: boolean): Buffer {
  return tagged(0x80 + (isConstructed ? 0x20 : 0) + number, content)
}

function tagged(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), length(content.length), content])
}

function length(size: number): Buffer {
  if (size < 0x80) return Buffer.of(size)
  return size < 0x100 ? Buffer.of(0x81, size) : Buffer.of(0x82, size >> 8, size & 0xff)
}

function septets(value: number): number[] {
  const groups = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) groups.unshift((rest & 0x7f) | 0x80)
  return groups
}
