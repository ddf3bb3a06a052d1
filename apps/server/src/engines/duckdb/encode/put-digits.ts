const zero = 0x30

/** The powers of ten that a double holds exactly. */
export const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/** ASCII of 00 to 99, so that digits are written two at a time. */
const digitPairs = new Uint8Array(200)
for (let pair = 0; pair < 100; pair++) {
  digitPairs[pair * 2] = zero + Math.floor(pair / 10)
  digitPairs[pair * 2 + 1] = zero + (pair % 10)
}

/** Exactly `count` digits of `value`, which must be below 2^31, padded with zeros. Returns the position after them. */
export function putDigits(bytes: Uint8Array, at: number, value: number, count: number): number {
  let end = at + count
  const after = end
  while (end - at >= 2) {
    const quotient = (value / 100) | 0
    const pair = (value - quotient * 100) << 1
    bytes[--end] = digitPairs[pair + 1]!
    bytes[--end] = digitPairs[pair]!
    value = quotient
  }
  if (end > at) bytes[--end] = zero + (value % 10)
  return after
}
