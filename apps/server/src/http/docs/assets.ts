import { readFile } from 'node:fs/promises'
import { pack, type Packed } from './packed.ts'

/** The stylesheet and scripts of the documentation, at addresses that contain a hash of their content. */
export interface Assets {
  stylesheet: string
  /** Small; runs before the first paint. */
  themeScript: string
  /** A module; runs after the page is parsed. */
  script: string
  searchScript: string
  referenceStylesheet: string
  referenceScript: string
  byAddress: ReadonlyMap<string, Packed>
}

const names = ['documentation.css', 'theme.js', 'documentation.js', 'search.js', 'reference.css', 'reference.js'] as const

export async function readAssets(): Promise<Assets> {
  const files = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(`browser/${name}`, import.meta.url), 'utf8')
      const [kind, ending] = name.endsWith('.css') ? ['css', '.css'] : ['javascript', '.js']
      const packed = pack(text, `text/${kind}; charset=utf-8`)
      return [`/docs/assets/${packed.hash}${ending}`, packed] as const
    }),
  )
  const address = (name: (typeof names)[number]) => files[names.indexOf(name)]![0]
  return {
    stylesheet: address('documentation.css'),
    themeScript: address('theme.js'),
    script: address('documentation.js'),
    searchScript: address('search.js'),
    referenceStylesheet: address('reference.css'),
    referenceScript: address('reference.js'),
    byAddress: new Map(files),
  }
}
