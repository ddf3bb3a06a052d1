import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Another site that embeds pages of the service: some pages, and the sources of `@querypost/embed` as modules under `/library/`. */
export interface Portal {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** The same server under another origin, `http://localhost:<port>`. */
  otherUrl: string
  close(): void
}

const library = fileURLToPath(new URL('../../packages/embed/src/', import.meta.url))

/** A module of this folder, with everything that it imports, as one script. */
export async function bundle(name: string): Promise<string> {
  const { build } = await import('vite')
  const input = fileURLToPath(new URL(name, import.meta.url))
  const built = await build({ configFile: false, logLevel: 'silent', build: { write: false, minify: false, rolldownOptions: { input } } })
  const [script] = [built].flat().flatMap((made) => ('output' in made ? made.output : []))
  return (script as { code: string }).code
}

export async function startPortal(respond: (path: string) => { status?: number; type?: string; body: string }): Promise<Portal> {
  const server = createServer((request, response) => {
    const asked = new URL(request.url!, 'http://portal').pathname
    const { status = 200, type = 'text/html', body } = asked.startsWith('/library/')
      ? { type: 'text/javascript', body: stripTypeScriptTypes(readFileSync(path.join(library, asked.slice('/library/'.length)), 'utf8')) }
      : respond(asked)
    response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    otherUrl: `http://localhost:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
