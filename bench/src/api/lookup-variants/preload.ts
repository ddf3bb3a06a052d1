/**
 * Loaded before the service (`--import`), this replaces the service's lookups with a variant from this folder and reports the number of
 * their statements over a socket. So the service itself needs no switch.
 */
import { createServer } from 'node:http'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { statements } from './statements.ts'

const countSocket = process.env['LOOKUP_COUNT_SOCKET']!
const variantFile = new URL(`./${process.env['LOOKUP_VARIANT']}.ts`, import.meta.url).href

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    // A variant that imports the service's module gets the original.
    if (context.parentURL?.includes('/lookup-variants/') || context.parentURL?.endsWith('/entry/lookups.ts')) return resolved
    return resolved.url.endsWith('/store/batched-lookup.ts') ? { ...resolved, url: variantFile } : resolved
  },
})

if (isMainThread) {
  createServer((_request, response) => response.end(String(statements.count)))
    .listen(countSocket)
    .unref()
}
