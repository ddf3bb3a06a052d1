import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The content of the site. A *page* is a Markdown file listed in `docs/navigation.json`, read into memory once. A *file* is anything
 * else in `docs/`, such as an image; only its name is kept. Both are looked up by their *address* on the site, so path traversal is
 * not possible.
 */
export interface Sources {
  folder: string
  sections: NavigationSection[]
  /** By address, in the order of the navigation. */
  pages: ReadonlyMap<string, PageSource>
  /** Paths from the root of the repository, by address. */
  files: ReadonlyMap<string, string>
}

export interface NavigationSection {
  title: string
  /** Collapsed in the list of pages, unless it contains the current page. */
  isFolded: boolean
  pages: PageSource[]
}

export interface PageSource {
  /** From the root of the repository: `docs/api.md`. */
  file: string
  /** On the site: `/docs/api`. */
  address: string
  title: string
  text: string
}

/**
 * `docs/api.md` is at `/docs/api`, and a `README.md` is at the address of its folder. Files outside of `docs` are below `/docs` too.
 */
export function addressOf(file: string): string {
  const place = file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '')
  return place === '' ? '/docs' : `/docs/${place}`
}

export async function readSources(folder: string): Promise<Sources> {
  const navigation = await readNavigation(folder)
  const sections = await Promise.all(
    navigation.map(async ({ title, isFolded, pages }) => ({
      title,
      isFolded: isFolded ?? false,
      pages: await readPages(folder, pages.map((page) => path.posix.join('docs', page))),
    })),
  )
  const entries = await readdir(path.join(folder, 'docs'), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !/\.md$|^navigation\.json$/.test(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
  return {
    folder,
    sections,
    pages: new Map(sections.flatMap(({ pages }) => pages).map((page) => [page.address, page])),
    files: new Map(files.map((file) => [addressOf(file), file])),
  }
}

/** `pages` are paths from `docs`. */
type Navigation = { title: string; isFolded?: boolean; pages: string[] }[]

export async function readNavigation(folder: string): Promise<Navigation> {
  return JSON.parse(await readFile(path.join(folder, 'docs', 'navigation.json'), 'utf8')) as Navigation
}

/**
 * Pages that the published package does not include are left out of the navigation. In the repository, a test requires all of them.
 */
async function readPages(folder: string, files: string[]): Promise<PageSource[]> {
  return Promise.all(files.filter((file) => existsSync(path.join(folder, file))).map((file) => readPage(folder, file)))
}

async function readPage(folder: string, file: string): Promise<PageSource> {
  const text = await readFile(path.join(folder, file), 'utf8')
  const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? file
  return { file, address: addressOf(file), title, text }
}
