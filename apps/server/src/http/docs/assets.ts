import { readFile } from 'node:fs/promises'
import { pack, type Packed } from './packed.ts'

/** The stylesheet and scripts of the documentation, at addresses that contain a hash of their content. */
export interface Assets {
  stylesheet: string
  /** Small; runs before the first paint. */
  themeScript: string
  /** A module; runs after the page is parsed. */
  script: string
  byAddress: ReadonlyMap<string, Packed>
}

export async function readAssets(): Promise<Assets> {
  const files = await Promise.all(
    ['documentation.css', 'theme.js', 'documentation.js'].map(async (name) => {
      const text = await readFile(new URL(`browser/${name}`, import.meta.url), 'utf8')
      const [kind, ending] = name.endsWith('.css') ? ['css', '.css'] : ['javascript', '.js']
      const packed = pack(text, `text/${kind}; charset=utf-8`)
      return [`/docs/assets/${packed.hash}${ending}`, packed] as const
    }),
  )
  const [stylesheet, themeScript, script] = files.map(([address]) => address)
  return { stylesheet: stylesheet!, themeScript: themeScript!, script: script!, byAddress: new Map(files) }
}
