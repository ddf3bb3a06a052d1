import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Token } from 'markdown-it'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  fenceInfo,
  isLanguage,
  openSite,
  readLink,
  readNavigation,
  readSources,
  type Site,
  type Sources,
} from '@querypost/server/documentation'
import { errorCodes } from '@querypost/server/model'
import { filesBelow, type MarkdownFile, readMarkdownFiles, root } from './markdown-files.ts'

let files: MarkdownFile[]
let sources: Sources
beforeAll(async () => {
  files = await readMarkdownFiles()
  sources = await readSources(root)
})

const idsOf = (file: string) => files.find((each) => each.file === file)?.content.headings.map(({ id }) => id)

function linksOf({ content }: MarkdownFile): string[] {
  const links: string[] = []
  const look = (token: Token) => {
    if (token.type === 'link_open') links.push(String(token.attrGet('href')))
    if (token.type === 'image') links.push(String(token.attrGet('src')))
    token.children?.forEach(look)
  }
  content.tokens.forEach(look)
  return links
}

/** What is wrong with a link, if anything. */
function findFault(from: string, href: string): string | undefined {
  if (href.startsWith('/')) return 'begins with a slash, which is broken on GitHub'
  const target = readLink(from, href)
  if (target.kind === 'web') {
    const isWhole = URL.canParse(target.href) && /^(https?|mailto):$/.test(new URL(target.href).protocol)
    return isWhole ? undefined : 'is no whole address'
  }
  const isThere = !target.file.startsWith('..') && existsSync(path.join(root, target.file))
  if (!isThere) return `leads to ${target.file}, which is not there`
  if (target.anchor === undefined) return undefined
  const hasSection = idsOf(target.file)?.includes(target.anchor)
  return hasSection ? undefined : `leads to a section that ${target.file} does not have`
}

describe('Markdown files', () => {
  test('have no broken links', () => {
    const faults = files.flatMap((each) =>
      linksOf(each).flatMap((href) => {
        const fault = findFault(each.file, href)
        return fault === undefined ? [] : [`${each.file}: ${href} ${fault}`]
      }),
    )
    expect(faults).toEqual([])
    expect(files.flatMap(linksOf).length).toBeGreaterThan(100)
  })

  test.each([
    ['docs/api.md', 'no-such.md'],
    ['docs/api.md', '../../elsewhere.md'],
    ['docs/api.md', 'errors.md#no_such_code'],
    ['docs/api.md', '#no-such-section'],
    ['docs/api.md', '/docs/errors'],
    ['docs/api.md', 'ftp://example.com/'],
    ['docs/api.md', 'https://'],
  ])('reports a broken link in %s to %s', (from, href) => {
    expect(findFault(from, href)).toMatch(/\w/)
  })

  test('name a known language for every code block', () => {
    const strays = files.flatMap(({ file, content }) =>
      content.tokens
        .filter((token) => token.type === 'fence' && !isLanguage(fenceInfo(token).language))
        .map((token) => `${file}:${token.map![0] + 1} ${token.info}`),
    )
    expect(strays).toEqual([])
  })
})

describe('docs/navigation.json', () => {
  test('lists every page of docs exactly once', async () => {
    const navigation = await readNavigation(root)
    const listed = navigation.flatMap(({ pages }) => pages.map((page) => path.posix.join('docs', page)))
    expect(listed.filter((page, place) => listed.indexOf(page) !== place)).toEqual([])
    const missing = listed.filter((page) => !existsSync(path.join(root, page)))
    expect(missing).toEqual([])
    const written = files.map(({ file }) => file).filter((file) => file.startsWith('docs/'))
    expect(listed.filter((page) => page.startsWith('docs/')).toSorted()).toEqual(written)
  })

  test('lists pages that begin with a title', () => {
    const untitled = [...sources.pages.values()].filter(({ text }) => !text.startsWith('# ')).map(({ file }) => file)
    expect(untitled).toEqual([])
  })
})

test('every error code has an anchor for documentation_url', () => {
  expect(Object.keys(errorCodes).filter((code) => !idsOf('docs/errors.md')!.includes(code))).toEqual([])
})

/** Finds links such as `/docs/errors#forbidden` in source code. */
const addresses = /(?<=['"`(\s>}])\/docs(\/[\w./-]*)?(#[\w-]+)?(?=['"`)\s<.,])/g

function isValidLink(address: string): boolean {
  const [place, anchor] = address.split('#')
  const page = sources.pages.get(place!)
  if (!page) return place === '/docs/search' || sources.files.has(place!)
  return anchor === undefined || idsOf(page.file)!.includes(anchor)
}

test('the web app and the command line have no broken links to the documentation', async () => {
  const names = (await Promise.all(['apps/web/src', 'apps/cli/src'].map(filesBelow))).flat()
  const programs = names.filter((name) => /\.tsx?$/.test(name))
  const texts = await Promise.all(programs.map((name) => readFile(path.join(root, name), 'utf8')))
  const named = texts.flatMap((text) => [...text.matchAll(addresses)].map(([address]) => address))
  expect(named).toContain('/docs')
  expect(named.filter((address) => !isValidLink(address))).toEqual([])
  expect(isValidLink('/docs/no-such')).toBe(false)
})

describe('the site', () => {
  let site: Site
  beforeAll(async () => {
    site = (await openSite(root))!
  })

  test('has no broken links and no duplicate ids', () => {
    const faults: string[] = []
    for (const { address } of sources.pages.values()) {
      const html = site.page(address)!.bytes.toString()
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
      faults.push(...ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `${address}: id ${id} twice`))
      for (const [, href] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        if (href!.startsWith('#')) {
          if (!ids.includes(href!.slice(1))) faults.push(`${address}: ${href}`)
        } else if (href!.startsWith('/docs')) {
          const isAsset = site.assets.byAddress.has(href!)
          if (!isAsset && !isValidLink(href!) && !site.markdown(href!)) faults.push(`${address}: ${href}`)
        } else if (href !== '/' && !/^(https?|mailto|data):/.test(href!)) faults.push(`${address}: ${href}`)
      }
    }
    expect(faults).toEqual([])
  })
})
