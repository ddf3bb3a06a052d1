const [firstCharacter, lastCharacter] = [0x20, 0x7e]
/** For what is added between characters, by kerning or by a reader's own styles. */
const tolerance = 1.1

export type CharacterWidths = readonly number[]

/** The widths of the printable ASCII characters in a font, in pixels. All digits have the same width, as in columns of numbers. */
export function measureCharacters(font: string): CharacterWidths {
  const context = document.createElement('canvas').getContext('2d')!
  context.font = font
  const widthOf = (code: number) => context.measureText(String.fromCharCode(code)).width
  const digits = Math.max(...Array.from('0123456789', (digit) => context.measureText(digit).width))
  return Array.from({ length: lastCharacter + 1 }, (_, code) =>
    code < firstCharacter ? Number.POSITIVE_INFINITY : code >= 0x30 && code <= 0x39 ? digits : widthOf(code),
  )
}

/** Whether a text surely fits into so many pixels. Only ASCII is known to. */
export function fits(text: string, room: number, widths: CharacterWidths): boolean {
  let left = room / tolerance
  for (let at = 0; at < text.length && left >= 0; at += 1) left -= widths[text.charCodeAt(at)] ?? Number.POSITIVE_INFINITY
  return left >= 0
}
