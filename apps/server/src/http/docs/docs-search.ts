import { yieldToEventLoop } from '../../ports/yield-to-event-loop.ts'
import MiniSearch from 'minisearch'
import type { Token } from 'markdown-it'
import { plainText, readMarkdown } from './markdown.ts'

/**
 * Search over sections: each heading of a page with the text below it, up to the next one, is found by itself. Code
 * counts as text, so that settings, fields and error codes are found by their names.
 */
export interface FoundSection {
  pageTitle: string
  /** Of the heading; the page's own when the words stand before the first one. */
  title: string
  /** With the section's anchor. */
  address: string
  text: string
  /** The words of the section that were looked for. */
  words: string[]
}

export interface SearchablePage {
  address: string
  title: string
  /** Markdown. */
  text: string
  /** What is folded away in the navigation is not what most people look for. */
  isFolded?: boolean
}

const mostFound = 20
/** More than anybody looks for; each one costs. */
const mostWords = 12

/** `QUERY_API` is two words, and so is `svc-webhook`: whoever remembers one of them finds it. */
const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

export type Search = (query: string) => FoundSection[]

/** The index is built page by page, and whoever waits for an answer of the service gets it in between. */
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
    const words = wordsOf(query).slice(0, mostWords).join(' ')
    if (words === '') return []
    const withAll = index.search(words, { combineWith: 'AND' })
    const found = withAll.length > 0 ? withAll : index.search(words, { combineWith: 'OR' })
    return found.slice(0, mostFound).map(({ id, terms: words }) => {
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
