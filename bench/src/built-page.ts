import { createServer } from 'node:http'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, loadConfigFromFile } from 'vite'

const web = fileURLToPath(new URL('../../apps/web/', import.meta.url))

export interface BuiltPage {
  baseUrl: string
  /** The gzipped size of each script, by its name without the hash. */
  scriptSizes: Map<string, number>
  stop(): Promise<void>
}

/** A page in the folder `root` that uses the web app's own code, built as the app is. */
export async function startBuiltPage(root: URL): Promise<BuiltPage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-page-'))
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' }, path.join(web, 'vite.config.ts'))
  const { build: own, ...config } = loaded!.config
  await build({
    ...config,
    configFile: false,
    root: fileURLToPath(root),
    logLevel: 'warn',
    mode: 'production',
    // The documents of the app itself are left out.
    build: { ...own, rolldownOptions: { ...own!.rolldownOptions, input: fileURLToPath(new URL('index.html', root)) }, outDir: folder, emptyOutDir: true, chunkSizeWarningLimit: 2000 },
  })
  const assets = await readdir(path.join(folder, 'assets'))
  const sizes = await Promise.all(
    assets
      .filter((name) => name.endsWith('.js'))
      .map(async (name) => [name.replace(/-[\w-]{8}\.js$/, ''), gzipSync(await readFile(path.join(folder, 'assets', name))).length] as const),
  )
  const server = createServer((request, response) => {
    const name = request.url === '/' ? 'index.html' : path.normalize(request.url!).replace(/^\/+/, '')
    readFile(path.join(folder, name)).then(
      (bytes) => {
        const type = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }[path.extname(name)]
        response.setHeader('content-type', `${type ?? 'application/octet-stream'}; charset=utf-8`).end(bytes)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://localhost:${(server.address() as AddressInfo).port}`,
    scriptSizes: new Map(sizes),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
