import { createServer } from 'node:http'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, loadConfigFromFile } from 'vite'
import { pagePolicy } from '@querypost/server/documentation'
import type { Field, Visualization } from '../../packages/visualization/src/index.ts'

type Color = [red: number, green: number, blue: number]

export interface Shown {
  visualization: Visualization | null
  fields: Field[]
  rows: unknown[][]
}

declare global {
  // Defined in `apps/web/testing/charts/harness.tsx`.
  var harness: {
    view(input: Shown): number
    viewIn(size: { width: number; height: number }, input: Shown): number
    build(input: Shown): number
    attack(texts: string[], input: Shown): Promise<unknown>
    readPlot(): Color[]
    readPlotOf(picture: { pngBase64: string; plot: object }): Promise<Color[]>
    built: Visualization | null
  }
}

/** A page with only charts, built from the web app's sources and served with its security policy; see `apps/web/testing/charts`. */
export interface ChartsPage {
  baseUrl: string
  stop(): Promise<void>
}

const web = fileURLToPath(new URL('../../apps/web/', import.meta.url))
const document = 'testing/charts/index.html'
const nonce = 'bm9uY2U='
const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

export async function startChartsPage(): Promise<ChartsPage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'charts-page-'))
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'production' }, path.join(web, 'vite.config.ts'))
  const { plugins, build: own, ...config } = loaded!.config
  await build({
    ...config,
    configFile: false,
    // Compressing scripts that only this page loads takes seconds.
    plugins: plugins!.filter((plugin) => !(plugin && 'name' in plugin && plugin.name === 'compressed')),
    root: web,
    logLevel: 'warn',
    mode: 'production',
    build: {
      ...own,
      minify: false,
      outDir: folder,
      emptyOutDir: true,
      chunkSizeWarningLimit: 5000,
      // The documents of the app itself are left out.
      rolldownOptions: { ...own!.rolldownOptions, input: path.join(web, document) },
    },
  })
  const server = createServer((request, response) => {
    const name = request.url === '/' ? document : path.normalize(request.url!).replace(/^\/+/, '')
    readFile(path.join(folder, name)).then(
      (bytes) => {
        response.setHeader('content-type', contentTypes[path.extname(name)] ?? 'application/octet-stream')
        response.setHeader('content-security-policy', pagePolicy(nonce))
        response.end(name === document ? bytes.toString().replaceAll('__NONCE__', nonce) : bytes)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://localhost:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
