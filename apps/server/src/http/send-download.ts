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
import type { QueryServices } from '../domain/services.ts'
import type { Run } from '../model/run.ts'
import type { ReferenceLink } from '../store/references/references-of-query.ts'
import { acceptsGzip, sendResult } from './send-result.ts'

export const contentTypes: Record<StreamedFormat | 'parquet', string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
}

/** Reads the format from a query string. `raw` applies only to CSV. */
export function readFormat({ format = 'json', raw }: { format?: DownloadFormat; raw?: '1' }) {
  if (raw && format !== 'csv') {
    throw new Refusal('invalid_request', `The raw option applies only to CSV: ${format} is always exact. Remove raw.`, [
      { path: 'raw', message: 'applies only to format=csv' },
    ])
  }
  return { format, isRaw: raw !== undefined }
}

/** Sends a result as a file download. Stops generating the file when the client disconnects. */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  options: {
    services: Pick<QueryServices, 'parquet'>
    run: Run & { references: Pick<ReferenceLink, 'title'>[] }
    result: CachedResult
    format: DownloadFormat
    /** CSV without escaping cells that a spreadsheet would execute as formulas. */
    isRaw: boolean
  },
) {
  const { run, result, format, isRaw } = options
  // Set only once there is a file; an error response is not a download.
  const headers = {
    'content-disposition': attachment(downloadName(run, run.references, format)),
    'cache-control': 'private, no-store',
  }
  if (format === 'json') return sendResult(request, reply, result, { disposition: headers['content-disposition'] })
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  // It may have closed before the listener was added.
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
    // Stopping because the client disconnected is not a failure.
    if (gone.signal.aborted) return reply.code(clientLeft).send()
    throw error
  }
}

/** Only for the log; the client is gone. */
const clientLeft = 499

/** See RFC 6266: an ASCII name for old clients, and the full name in the encoding of RFC 8187. */
export function attachment(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/[^\w .()-]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
