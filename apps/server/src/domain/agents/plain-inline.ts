/**
 * What stands inside a paragraph of Markdown, without its marks. It is read once from left to right; what turns out to be a pair
 * (brackets of a link, stars around a word) is taken out when its second half comes by.
 */
export function plainInline(text: string): string {
  const pieces: string[] = []
  const brackets: number[] = []
  const openers: Openers = { '*': [], _: [], '~': [] }
  let at = 0
  while (at < text.length) {
    const character = text[at]!
    if (character === '\\' && /[!-/:-@[-`{-~\n]/.test(text[at + 1] ?? '')) {
      pieces.push(text[at + 1]!)
      at += 2
    } else if (character === '`') {
      const code = readCode(text, at)
      pieces.push(code.said)
      at = code.end
    } else if (character === '[' || (character === '!' && text[at + 1] === '[')) {
      const mark = character === '[' ? '[' : '!['
      brackets.push(pieces.push(mark) - 1)
      at += mark.length
    } else if (character === ']') {
      const opened = brackets.pop()
      const target = opened === undefined ? undefined : matchAt(linkTarget, text, at + 1)
      if (target === undefined) pieces.push(']')
      else pieces[opened!] = ''
      at += 1 + (target?.length ?? 0)
    } else if (character === '<') {
      const address = matchAt(/<(?:https?:\/\/|mailto:)[^<>\s]{1,2000}>/y, text, at)
      const tag = address ?? matchAt(/<!--[^]{0,1000}?-->|<\/?[a-zA-Z][^<>]{0,2000}>/y, text, at)
      pieces.push(address ? address.slice(1, -1) : tag ? '' : '<')
      at += tag?.length ?? 1
    } else if (character === '&') {
      const entity = matchAt(/&(?:amp|lt|gt|quot|apos|nbsp|#39);/y, text, at)
      pieces.push(entity ? entities[entity]! : '&')
      at += entity?.length ?? 1
    } else if (character === '*' || character === '_' || character === '~') {
      const run = matchAt(character === '*' ? /\*+/y : character === '_' ? /_+/y : /~+/y, text, at)!
      markRun({ pieces, openers, run, before: text[at - 1] ?? ' ', after: text[at + run.length] ?? ' ' })
      at += run.length
    } else {
      const rest = matchAt(/[^\\`![\]<&*_~]+|[!\\]/y, text, at)!
      pieces.push(rest)
      at += rest.length
    }
  }
  return pieces.join('')
}

/** What follows a link's text: its address, or the name under which that stands elsewhere. */
const linkTarget = /\((?:[^()\n\\]|\\.|\([^()\n]{0,500}\)){0,2000}\)|\[[^[\]\n]{0,500}\]/y

/** The pieces that may begin an emphasis, oldest first. A piece loses as many of its marks as are matched later. */
type Openers = Record<'*' | '_' | '~', number[]>

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': '\'',
  '&#39;': '\'',
  '&nbsp;': ' ',
}

function markRun(options: { pieces: string[]; openers: Openers; run: string; before: string; after: string }): void {
  const { pieces, openers, run, before, after } = options
  const mark = run[0] as keyof Openers
  // One tilde is a tilde. Inside a word an underscore is one, as in total_amount.
  const isInside = mark === '_' && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)
  if (isInside || (mark === '~' && run.length !== 2)) return void pieces.push(run)
  let count = run.length
  while (/\S/.test(before) && count > 0 && openers[mark].length > 0) {
    const opener = openers[mark].at(-1)!
    const matched = Math.min(count, pieces[opener]!.length)
    pieces[opener] = pieces[opener]!.slice(matched)
    count -= matched
    // What was opened since and not ended is text. One that has marks left can still be matched.
    const first = pieces[opener] === '' ? opener : opener + 1
    for (const others of Object.values(openers)) while ((others.at(-1) ?? -1) >= first) others.pop()
  }
  const piece = pieces.push(mark.repeat(count)) - 1
  if (count > 0 && /\S/.test(after)) openers[mark].push(piece)
}

/** As many backticks as began it end it; without an end they are text. */
function readCode(text: string, at: number): { said: string; end: number } {
  const ticks = matchAt(/`+/y, text, at)!
  const after = at + ticks.length
  for (let end = text.indexOf(ticks, after); end >= 0; ) {
    const found = matchAt(/`+/y, text, end)!
    if (found.length === ticks.length) return { said: text.slice(after, end).trim(), end: end + found.length }
    end = text.indexOf(ticks, end + found.length)
  }
  return { said: ticks, end: after }
}

function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0]
}
