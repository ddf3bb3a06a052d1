/** Length-encoded integers that need more than one byte: a marker, then two, three or eight bytes, little endian. */
export const lengthAt = {
  /** The size in bytes, including the marker. */
  sizeOf(marker: number): number {
    return marker === 0xfc ? 3 : marker === 0xfd ? 4 : 9
  },
  read(bytes: Uint8Array, at: number): number {
    let length = 0
    for (let index = lengthAt.sizeOf(bytes[at]!) - 1; index > 0; index--) length = length * 256 + bytes[at + index]!
    return length
  },
}
