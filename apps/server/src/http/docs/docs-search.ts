import { yieldToEventLoop } from '../../ports/yield-to-event-loop.ts'
import MiniSearch from 'minisearch'
import type { Token } from 'markdown-it'
import { plainText, readMarkdown } from './markdown.ts'

/**
 * Full-text search over sections: a heading and the text up to the next heading. Code counts as text, so that settings, fields and
 * error codes can be found by name.
 */
export interface FoundSection {
  pageTitle: string
  /** The heading, or the title of the page for text before the first heading. */
  title: string
  /** Includes the section's anchor. */
  address: string
  text: string
  /** The words of the section that match the query. */
  words: string[]
}

export interface SearchablePage {
  address: string
  title: string
  /** Markdown. */
  text: string
  /** Ranked lower, because pages that are folded in the navigation are rarely what people search for. */
  isFolded?: boolean
}

const resultsMax = 20
/** Limits the cost of a search. */
const wordsMax = 12

/** `QUERY_API` and `svc-webhook` are two words each, so that either word finds them. */
const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

export type Search = (query: string) => FoundSection[]

/** Yields after each page while building the index, so that other requests are not blocked. */
export async function makeSearch(pages: Iterable<SearchablePage>, more: Section[] = []): Promise<Search> {
  const byAddress = new Map<string, Section>()
  const folded = new Set<string>()
  const index = new MiniSearch<Section>({
    idField: 'address',
    fields: ['title', 'pageTitle', 'text'],
    tokenize: wordsOf,
    searchOptions: {
      boost: { title: 4, pageTitle: 2 },
      prefix: (word) => word.length > 1,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      // A near miss or the beginning of a longer word is worth less than the word itself.
      weights: { fuzzy: 0.1, prefix: 0.4 },
      boostDocument: (address) => (folded.has(String(address)) ? 0.4 : 1),
    },
  })
  for (const page of pages) {
    for (const section of sectionsOf(page)) {
      byAddress.set(section.address, section)
      if (page.isFolded) folded.add(section.address)
      index.add(section)
    }
    await yieldToEventLoop()
  }
  for (const section of more) {
    byAddress.set(section.address, section)
    index.add(section)
  }

  return (query) => {
    const words = wordsOf(query).slice(0, wordsMax).join(' ')
    if (words === '') return []
    const withAll = index.search(words, { combineWith: 'AND' })
    const found = withAll.length > 0 ? withAll : index.search(words, { combineWith: 'OR' })
    return found.slice(0, resultsMax).map(({ id, terms: words }) => {
      const { pageTitle, title, address, text } = byAddress.get(String(id))!
      return { pageTitle, title, address, text, words }
    })
  }
}

export type Section = Omit<FoundSection, 'words'>

export function sectionsOf({ address, title, text }: SearchablePage): Section[] {
  const sections = [{ pageTitle: title, title, address, text: '' }]
  const { tokens } = readMarkdown(text)
  for (const [place, token] of tokens.entries()) {
    if (token.type === 'heading_open' && token.tag !== 'h1') {
      const heading = plainText(tokens[place + 1]!)
      sections.push({ pageTitle: title, title: heading, address: `${address}#${token.attrGet('id')}`, text: '' })
    } else if (tokens[place - 1]?.type !== 'heading_open') {
      const section = sections.at(-1)!
      section.text = `${section.text} ${textOf(token)}`.trim()
    }
  }
  return sections
}

function textOf(token: Token): string {
  if (token.type === 'inline') return plainText(token)
  return token.type === 'fence' || token.type === 'code_block' ? token.content.replaceAll(/\s+/g, ' ') : ''
}
