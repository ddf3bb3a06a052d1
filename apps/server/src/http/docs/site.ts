import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Assets, readAssets } from './assets.ts'
import { findDocumentation } from './folder.ts'
import { renderLayout, markdownAddress } from './layout.ts'
import { plainText, type ReadMarkdown, readMarkdown } from './markdown.ts'
import { pack, type Packed } from './packed.ts'
import { renderTokens } from './render-page.ts'
import { makeSearch, type Search } from './docs-search.ts'
import type { Document } from './reference/openapi-document.ts'
import { makeReference, type Reference, referenceFile } from './reference/reference.ts'
import { searchPage } from './search-page.ts'
import { addressOf, type PageSource, readSources, type Sources } from './sources.ts'

/**
 * The documentation site. Sources are read when it is opened. Each page is rendered and compressed at its first request, then cached;
 * the search index is built at the first search. It contains no data of any organization.
 */
export interface Site {
  assets: Assets
  page(address: string): Packed | undefined
  /** The Markdown source of a page. */
  markdown(address: string): Packed | undefined
  /** An image or another file that pages link to. */
  file(address: string): Promise<{ contentType: string; bytes: Buffer } | undefined>
  /** The page of search results, as HTML. */
  search(query: string): Promise<string>
  notFound(): string
}

const htmlType = 'text/html; charset=utf-8'
/** Code examples are shown as plain text. */
const code = ['.go', '.java', '.mjs', '.php', '.py', '.rb', '.ru', '.ts']
const fileTypes: Record<string, string> = {
  ...Object.fromEntries(code.map((ending) => [ending, 'text/plain; charset=utf-8'])),
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** Without an OpenAPI document the site has no API reference. */
export async function openSite(folder = findDocumentation(), openapi?: Document): Promise<Site | undefined> {
  if (folder === undefined) return undefined
  const [sources, assets] = await Promise.all([readSources(folder), readAssets()])
  return makeSite(sources, assets, openapi && makeReference(openapi, sources.pages.values()))
}

export function makeSite(sources: Sources, assets: Assets, reference?: Reference): Site {
  const { sections, pages, files } = sources
  const onSite = new Set([...pages.values()].map(({ file }) => file).concat([...files.values()]))
  const context = {
    addressOf: (file: string) => (onSite.has(file) ? addressOf(file) : undefined),
    addressOfRoute: (route: string) => reference?.addressOf(route),
  }
  const byMarkdownAddress = new Map([...pages.values()].map((page) => [markdownAddress(page), page]))
  const frame = { sections, assets }
  const packed = new Map<string, Packed>()
  let searching: Promise<Search> | undefined

  function cached(address: string, make: () => Packed): Packed {
    const before = packed.get(address) ?? make()
    packed.set(address, before)
    return before
  }

  function render(page: PageSource): Packed {
    const content = readMarkdown(page.text)
    const html = renderTokens(content.tokens, { ...context, file: page.file })
    const hasReference = reference && page.file === referenceFile
    return pack(
      renderLayout({
        ...frame,
        title: page.title,
        description: descriptionOf(content),
        current: page,
        outline: content.headings.filter(({ level }) => level === 2 || level === 3),
        content: hasReference ? `<div class="introduction">${html}</div>\n${reference.html()}` : html,
        entries: hasReference ? reference.entriesHtml(content.headings) : undefined,
      }),
      htmlType,
    )
  }

  return {
    assets,
    page(address) {
      const page = pages.get(address)
      return page && cached(address, () => render(page))
    },
    markdown(address) {
      const page = byMarkdownAddress.get(address)
      return page && cached(address, () => pack(page.text, 'text/markdown; charset=utf-8'))
    },
    async file(address) {
      const file = files.get(address)
      const contentType = fileTypes[path.extname(address)]
      if (file === undefined || contentType === undefined) return undefined
      return { contentType, bytes: await readFile(path.join(sources.folder, file)) }
    },
    async search(query) {
      searching ??= makeSearch(
        sections.flatMap(({ isFolded, pages: its }) => its.map((page) => Object.assign({ isFolded }, page))),
        reference?.sections,
      )
      const content = searchPage(query, (await searching)(query))
      return renderLayout({ ...frame, title: 'Search', description: 'Search Querypost’s documentation.', query, content })
    },
    notFound() {
      return renderLayout({ ...frame, title: 'Page not found', description: 'This page does not exist.', content: notFoundContent })
    },
  }
}

const notFoundContent = `<h1>Page not found</h1>
<p>It may have been renamed. Search above, or go to the <a href="/docs">start page</a>.</p>`

const descriptionLength = 200

/** The first paragraph. */
function descriptionOf({ tokens }: ReadMarkdown): string {
  const place = tokens.findIndex(({ type, level }) => type === 'paragraph_open' && level === 0)
  const text = place === -1 ? '' : plainText(tokens[place + 1]!)
  return text.length <= descriptionLength ? text : `${text.slice(0, text.lastIndexOf(' ', descriptionLength))} …`
}
