/** The lengths in the protocol that need more than one byte: a mark, then two, three or eight, the lowest first. */
export const lengthAt = {
  /** With the mark itself. */
  sizeOf(mark: number): number {
    return mark === 0xfc ? 3 : mark === 0xfd ? 4 : 9
  },
  read(bytes: Uint8Array, at: number): number {
    let length = 0
    for (let index = lengthAt.sizeOf(bytes[at]!) - 1; index > 0; index--) length = length * 256 + bytes[at + index]!
    return length
  },
}
