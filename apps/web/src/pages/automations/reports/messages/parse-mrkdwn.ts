import type { Inline } from '../../../../ui/markdown/parse-inline.ts'

/** Slack's own markup. A fenced block is on lines of its own; everything else is within a line. */
export type MrkdwnPart = { kind: 'line'; children: Inline[] } | { kind: 'code'; text: string }

/** Text of a Slack message, as Slack shows it. */
export function parseMrkdwn(text: string): MrkdwnPart[] {
  const parts: MrkdwnPart[] = []
  for (const [at, piece] of text.split('```').entries()) {
    // Every second piece is inside a fence.
    if (at % 2 === 1) parts.push({ kind: 'code', text: unescape(piece.replace(/^\n/, '').replace(/\n$/, '')) })
    else for (const line of piece.replace(/^\n|\n$/g, '').split('\n')) if (line !== '' || parts.length > 0) parts.push({ kind: 'line', children: parseLine(line) })
  }
  // An empty line after a fence, or at the end, separates nothing.
  return parts.filter((part, at) => part.kind === 'code' || part.children.length > 0 || isBetweenLines(parts, at))
}

const isBetweenLines = (parts: MrkdwnPart[], at: number) => parts[at - 1]?.kind === 'line' && parts[at + 1]?.kind === 'line'

const kinds = { '*': 'strong', _: 'emphasis', '~': 'strikethrough' } as const
/** Code, a link, or a text between two marks, which may contain links. A mark beside a letter, or with a space inside, is an ordinary character. */
const styled = /`([^`]+)`|<([^|<>]+)\|([^<>]*)>|(?<![\p{L}\p{N}])([*_~])(?=\S)((?:<[^<>]*>|(?!\4).)+)(?<=\S)\4(?![\p{L}\p{N}])/u

function parseLine(line: string): Inline[] {
  const match = styled.exec(line)
  if (!match) return line === '' ? [] : [{ kind: 'text', text: unescape(line) }]
  const [whole, code, address, label, mark, inner] = match
  const rest = [parseLine(line.slice(0, match.index)), parseLine(line.slice(match.index + whole.length))] as const
  const found: Inline =
    code !== undefined
      ? { kind: 'code', text: unescape(code) }
      : address !== undefined
        ? { kind: 'link', address: unescape(address), children: [{ kind: 'text', text: unescape(label!) }] }
        : { kind: kinds[mark as keyof typeof kinds], children: parseLine(inner!) }
  return [...rest[0], found, ...rest[1]]
}

/** The only three characters that Slack escapes. */
const unescape = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
