import MarkdownIt, { type StateBlock, type Token } from 'markdown-it'
import { inlineText } from '../../domain/inline-text.ts'
import { makeSlugs } from './slugs.ts'

export interface Heading {
  level: number
  id: string
  text: string
}

/** A parsed Markdown file: its tokens, in which headings have ids, and a list of its headings. */
export interface ReadMarkdown {
  tokens: Token[]
  headings: Heading[]
}

/**
 * HTML in a file is shown as text, never interpreted. HTML comments, which mark generated parts, are not shown.
 */
export const markdown = new MarkdownIt({ html: false })
const mayEnd = { alt: ['paragraph', 'reference', 'blockquote', 'list'] }
markdown.block.ruler.before('paragraph', 'comment', skipComment, mayEnd)

export function readMarkdown(text: string): ReadMarkdown {
  const tokens = markdown.parse(text, {})
  const slugOf = makeSlugs()
  const headings: Heading[] = []
  for (const [place, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const title = plainText(tokens[place + 1]!)
    const heading = { level: Number(token.tag.slice(1)), id: slugOf(title), text: title }
    token.attrSet('id', heading.id)
    headings.push(heading)
  }
  return { tokens, headings }
}

/** The plain text of an inline token, on one line. */
export const plainText = (token: Token): string => inlineText(token, { lineBreak: ' ' })

/** The words of a code fence after its backticks: ```` ```sh run ```` has the language `sh` and the flag `run`. */
export function fenceInfo(token: Token): { language: string; flags: string[] } {
  const [language = '', ...flags] = token.info.trim().split(/\s+/)
  return { language, flags }
}

function skipComment(state: StateBlock, startLine: number, _endLine: number, isProbe: boolean): boolean {
  const line = state.src.slice(state.bMarks[startLine]! + state.tShift[startLine]!, state.eMarks[startLine])
  if (!/^<!--.*-->\s*$/.test(line)) return false
  if (!isProbe) state.line = startLine + 1
  return true
}
