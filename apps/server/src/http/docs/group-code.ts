import type { Token } from 'markdown-it'
import { fenceInfo } from './markdown.ts'

/** Wraps consecutive code blocks that show the same in several languages in `codes_open` … `codes_close`, for language tabs. */
export function groupCode(tokens: Token[]): Token[] {
  const grouped: Token[] = []
  for (let place = 0; place < tokens.length; ) {
    const choices = choicesAt(tokens, place)
    if (choices.length > 1) grouped.push(markOf('codes_open', choices[0]!), ...choices, markOf('codes_close', choices[0]!))
    else grouped.push(tokens[place]!)
    place += Math.max(1, choices.length)
  }
  return grouped
}

const programming = new Set(['ts', 'js', 'python', 'go', 'ruby', 'php', 'java'])

/** Blocks with the `run` flag, or programs without it; an installation command followed by a program is not a choice. */
function choicesAt(tokens: Token[], start: number): Token[] {
  const choices: Token[] = []
  for (const token of tokens.slice(start)) {
    if (token.type !== 'fence') break
    const { language, flags } = fenceInfo(token)
    const isRun = flags.includes('run')
    if (!isRun && !programming.has(language)) break
    const others = choices.map(fenceInfo)
    if (others.some((other) => other.language === language || other.flags.includes('run') !== isRun)) break
    choices.push(token)
  }
  return choices
}

function markOf(type: string, like: Token): Token {
  const mark = Object.assign(Object.create(Object.getPrototypeOf(like) as object) as Token, like)
  return Object.assign(mark, { type, tag: 'div', attrs: null, content: '' })
}
