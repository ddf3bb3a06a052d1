/**
 * Loaded into a service before anything else (`--import`), it puts one of the variants in this folder in the place of the service's
 * own lookups, and tells over a socket how many statements they have made. So the service itself needs no switch.
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
    // A variant that is made of the service's own module gets that one.
    if (context.parentURL?.includes('/lookup-variants/') || context.parentURL?.endsWith('/entry/lookups.ts')) return resolved
    return resolved.url.endsWith('/store/batched-lookup.ts') ? { ...resolved, url: variantFile } : resolved
  },
})

if (isMainThread) {
  createServer((_request, response) => response.end(String(statements.count)))
    .listen(countSocket)
    .unref()
}
