import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'

/**
 * The built web app, read into memory once: `shell` is the HTML document that all pages for members share, `files` are the assets. Requests are
 * looked up by name, so path traversal is not possible.
 */
export interface WebBuild {
  shell: string
  /** The document of pages that viewers of public links and embedded items see. */
  viewerShell: string
  /** By path, for example `/assets/index-DlkElelf.css`. Each name contains a hash of the content. */
  files: ReadonlyMap<string, WebFile>
}

/**
 * Browsers accept Brotli, so only that copy is kept in memory, a quarter of the content. The others are made of it for clients that don't
 * accept it.
 */
export interface WebFile {
  contentType: string
  /** Undefined if the build has no such copy. */
  brotli: Buffer | undefined
  plain(): Promise<Buffer>
  gzipped(): Promise<Buffer>
}

const ownFolder = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))

const brotliExtension = '.br'

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

let ownBuild: Promise<WebBuild | undefined> | undefined

/** The build that belongs to this server. It is read once, also by a process that builds several apps, as tests do. */
export const readOwnWebBuild = (): Promise<WebBuild | undefined> => (ownBuild ??= readWebBuild(ownFolder))

/** Undefined if the web app has not been built. */
export async function readWebBuild(folder: string): Promise<WebBuild | undefined> {
  const shell = await readFile(path.join(folder, 'index.html'), 'utf8').catch(whenMissing(undefined))
  const viewerShell = await readFile(path.join(folder, 'viewer.html'), 'utf8').catch(whenMissing(undefined))
  if (shell === undefined || viewerShell === undefined) return undefined
  const names = await readdir(path.join(folder, 'assets')).catch(whenMissing<string[]>([]))
  const files = new Map<string, WebFile>()
  for (const name of names.filter((each) => path.extname(each) !== brotliExtension)) {
    const contentType = contentTypes[path.extname(name)]
    if (!contentType) throw new Error(`${folder}assets/${name}: add the content type of such files to web-build.ts.`)
    const file = path.join(folder, 'assets', name)
    const isCompressed = names.includes(`${name}${brotliExtension}`)
    const content = await readFile(isCompressed ? `${file}${brotliExtension}` : file)
    const plain = async () => (isCompressed ? decompress(content) : content)
    files.set(`/assets/${name}`, { contentType, brotli: isCompressed ? content : undefined, plain, gzipped: gzipOnce(plain) })
  }
  return { shell, viewerShell, files }
}

const decompress = promisify(brotliDecompress)

function gzipOnce(plain: () => Promise<Buffer>): () => Promise<Buffer> {
  let compressing: Promise<Buffer> | undefined
  return () => (compressing ??= plain().then((bytes) => promisify(gzip)(bytes)))
}

function whenMissing<Value>(value: Value) {
  return (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value
    throw error
  }
}
