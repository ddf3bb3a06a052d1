import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import {
  type DownloadFormat,
  downloadName,
  openParquet,
  openStreamed,
  type StreamedFormat,
} from '../domain/results/downloads.ts'
import type { CachedResult } from '../domain/results/results.ts'
import type { RunInFull } from '../domain/runs/read-runs.ts'
import type { QueryServices } from '../domain/services.ts'
import { acceptsGzip, sendResult } from './send-result.ts'

export const contentTypes: Record<StreamedFormat | 'parquet', string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
}

/** What is asked for in a query string. `raw` is a matter of CSV only. */
export function readFormat({ format = 'json', raw }: { format?: DownloadFormat; raw?: '1' }) {
  if (raw && format !== 'csv') {
    throw new Refusal('invalid_request', `Only CSV has a raw form: ${format} is exact as it is. Leave raw out.`, [
      { path: 'raw', message: 'is for format=csv only' },
    ])
  }
  return { format, isRaw: raw !== undefined }
}

/** Sends a result as a file to be kept. Whoever goes away before it is made also ends its making. */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  options: {
    services: Pick<QueryServices, 'parquet'>
    run: RunInFull
    result: CachedResult
    format: DownloadFormat
    /** CSV with cells that a spreadsheet would execute as they are. */
    isRaw: boolean
  },
) {
  const { run, result, format, isRaw } = options
  // Said when there is a file: a refusal is none.
  const headers = {
    'content-disposition': attachment(downloadName(run, run.references, format)),
    'cache-control': 'private, no-store',
  }
  if (format === 'json') return sendResult(request, reply, result, { disposition: headers['content-disposition'] })
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  // It may have closed before anybody listened.
  if (reply.raw.destroyed) gone.abort()
  try {
    if (format === 'parquet') {
      const { sizeBytes, bytes } = await openParquet(options.services, result, gone.signal)
      reply.headers({ ...headers, 'content-length': sizeBytes })
      reply.type(contentTypes.parquet)
      return reply.send(bytes)
    }
    const content = await openStreamed(result, { format, isRaw, signal: gone.signal })
    reply.headers({ ...headers, vary: 'accept-encoding' })
    reply.type(contentTypes[format])
    if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(content)
    reply.header('content-encoding', 'gzip')
    return reply.send(content.compose(createGzip({ level: 1 })))
  } catch (error) {
    // A making that was ended because its client left is no failure.
    if (gone.signal.aborted) return reply.code(clientLeft).send()
    throw error
  }
}

/** For the log; nobody reads it. */
const clientLeft = 499

/** By RFC 6266: a plain name for those who read no other, and the whole one as RFC 8187 writes it. */
export function attachment(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/[^\w .()-]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
