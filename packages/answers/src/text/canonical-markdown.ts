import { escapeMarkdown } from '../format.ts'
import { placeholderPattern } from './find-placeholders.ts'

/**
 * Rewrites a model's Markdown so that readers see exactly the characters that are judged, whatever renders it:
 *
 * - entities become characters, HTML and invisible characters are removed;
 * - links become their text, except links into this service that are not to runs: those are ours to write, as are strikes;
 * - code that contains numbers, figures or markup becomes ordinary text, because nothing can be struck inside code.
 */
export interface CanonicalText {
  text: string
  /** The addresses of the links that were kept. */
  links: string[]
}

/** A kept link is `linkStart`, its text, and the end character of its index. */
export const linkStart = '\uEE00'
const firstLinkEnd = 0xef00
const maxLinks = 200
export const linkEnd = (index: number): string => String.fromCharCode(firstLinkEnd + index)
export const isLinkEnd = (character: string): boolean => character >= '\uEF00' && character < linkEnd(maxLinks)
export const linkIndex = (character: string): number => character.charCodeAt(0) - firstLinkEnd

export function canonicalMarkdown(text: string, baseUrl: string): CanonicalText {
  const visible = withoutInvisible(decodeEntities(text.replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')))
  const { text: linked, links } = keepOwnLinks(withoutCode(withoutHtml(visible)), baseUrl)
  return { text: escapeLeftovers(linked), links }
}

const named: Record<string, string> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', ndash: '–', mdash: '—', hellip: '…',
  euro: '€', pound: '£', yen: '¥', cent: '¢', minus: '−', plus: '+', times: '×', middot: '·', bull: '•', deg: '°', percnt: '%', permil: '‰',
  auml: 'ä', ouml: 'ö', uuml: 'ü', szlig: 'ß', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç', ntilde: 'ñ',
  frac12: '½', frac14: '¼', frac34: '¾', half: '½', sup1: '¹', sup2: '²', sup3: '³', shy: '', zwj: '', zwnj: '', lrm: '', rlm: '',
}
const isPunctuation = (character: string) => /^[!-/:-@[-`{-~]$/.test(character)

const entity = /&(?:#(\d{1,8})|#[xX]([\da-fA-F]{1,7})|([A-Za-z]\w{1,30}));?/g

/** Entities that are not known here are shown as written. */
function decodeEntities(text: string): string {
  return text.replaceAll(entity, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) {
      const character = whole.endsWith(';') && Object.hasOwn(named, name) ? named[name]! : undefined
      return character === undefined ? `\\${whole}` : escaped(character)
    }
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && !(code >= 0xe000 && code <= 0xf8ff)
    return isCharacter ? escaped(String.fromCodePoint(code)) : ''
  })
}

const escaped = (character: string) => (isPunctuation(character) ? `\\${character}` : character === '\n' ? ' ' : character)

// Format characters, variation selectors, fillers that look like nothing, and control characters.
const invisible = /\p{Cf}|\p{Default_Ignorable_Code_Point}|\p{Variation_Selector}|(?!\n)\p{Cc}/gu

const withoutInvisible = (text: string) => text.replaceAll('\t', '    ').replaceAll(invisible, '').replaceAll(/\p{Zs}/gu, ' ')

const maxRounds = 8

/** Tags and comments go; a "<" that is left is not markup. */
function withoutHtml(text: string): string {
  let stripped = text
  for (let round = 0; round < maxRounds; round++) {
    const next = withoutComments(stripped)
      .replaceAll(/<(?:br|p|div|li|tr|td|th|hr)\b[^<>]*>/gi, ' ')
      .replaceAll(/(?<!\\)<\/?[a-zA-Z!?][^<>]*>/g, '')
    if (next === stripped) break
    stripped = next
  }
  return stripped.replaceAll(/(?<!\\)<(?=[a-zA-Z/!?])/g, '\\<')
}

/** A comment that is never closed is no comment. */
function withoutComments(text: string): string {
  let kept = ''
  let from = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', start + 4)
    if (end === -1) break
    kept += text.slice(from, start)
    from = end + 3
  }
  return kept + text.slice(from)
}

/** What cannot stay in code: numbers, figures, and markup that would have to be neutralized there. */
const unsafeInCode = new RegExp(`[\\p{N}[\\]~<&\\\\]|${placeholderPattern}`, 'u')

function withoutCode(text: string): string {
  const lines: string[] = []
  let fenced: { mark: string; opening: string; lines: string[] } | undefined
  const close = (closing: string | null) => {
    if (!fenced) return
    if (fenced.lines.some((line) => unsafeInCode.test(line)) || unsafeInCode.test(fenced.opening)) {
      lines.push('', ...fenced.lines.map((line) => escapeCode(line)), '')
    } else lines.push(fenced.opening, ...fenced.lines, ...(closing === null ? [] : [closing]))
    fenced = undefined
  }
  for (const line of text.split('\n')) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1]
    if (fenced) {
      if (mark === fenced.mark) close(line)
      else fenced.lines.push(line)
    } else if (mark === '```') fenced = { mark, opening: line, lines: [] }
    else lines.push(withoutCodeSpans(line))
  }
  close(null)
  return lines.join('\n')
}

const escapeCode = (code: string) => escapeMarkdown(code.trim())

/** A code span never goes over a line end here, so that a stray backtick cannot hide what follows. */
function withoutCodeSpans(line: string): string {
  return line.replaceAll(/(?<![\\`])(`+)(?!`)(.*?[^`])\1(?!`)|\\?`+/g, (whole, _mark: string | undefined, code: string | undefined) => {
    if (code === undefined) return whole.startsWith('\\') ? whole : whole.replaceAll('`', '\\`')
    return unsafeInCode.test(code) ? escapeCode(code) : whole
  })
}

/** White space is only optional where no other optional white space can follow: it would be divided between them in every way. */
const linkPattern = /!?\[([^[\]\n]*)\]\(\s*(?:(?:<?([^\s()<>]+)>?|<>)(?:\s+"[^"\n]*")?\s*)?\)/g

/** Whether a path means what it says, without encoded or relative parts. */
const isPlain = (path: string) => !/[%\\]|\/\.|\/\//.test(path)

function keepOwnLinks(text: string, baseUrl: string): CanonicalText {
  const links: string[] = []
  const runs = `${baseUrl}/runs/`
  const isOwn = (address: string) => address.startsWith(`${baseUrl}/`) && !address.startsWith(runs) && isPlain(address.slice(baseUrl.length))
  const containsFigure = new RegExp(placeholderPattern)
  let linked = text
  for (let round = 0; round < maxRounds; round++) {
    const next = linked.replaceAll(linkPattern, (whole, inner: string, address = '') => {
      if (whole.startsWith('!') || !isOwn(address) || containsFigure.test(inner) || links.length === maxLinks) return inner
      links.push(address)
      return linkStart + inner + linkEnd(links.length - 1)
    })
    if (next === linked) break
    linked = next
  }
  return { text: linked, links }
}

/** Strikes are ours. Brackets and tildes that are left are shown as written. */
function escapeLeftovers(text: string): string {
  return text.replaceAll(/\\[!-/:-@[-`{-~]|`[^`\n]+`|~~+|[[\]~]/g, (found) => {
    if (found.startsWith('~~')) return ''
    return found.length === 1 ? `\\${found}` : found
  })
}
