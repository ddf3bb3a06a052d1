import type { Readable } from 'node:stream'
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
import { nameOfSql } from '../domain/results/name-of-sql.ts'
import type { SentResult } from '../domain/results/results.ts'
import type { QueryServices } from '../domain/services.ts'
import type { ReferenceLink } from '../store/references/references-of-query.ts'
import { xlsxContentType } from '../results/downloads/xlsx/write-xlsx.ts'
import { acceptsGzip } from './accepted-encodings.ts'
import { sendResult } from './send-result.ts'

export const contentTypes: Record<StreamedFormat | 'parquet', string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
  xlsx: xlsxContentType,
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
    run: SentResult['run'] & { references: Pick<ReferenceLink, 'title'>[] }
    result: SentResult
    format: DownloadFormat
    /** CSV without escaping cells that a spreadsheet would execute as formulas. */
    isRaw: boolean
  },
) {
  const { run, result, format, isRaw } = options
  const fileName = downloadName(run, run.references, format)
  if (format === 'json') return sendResult(request, reply, result, { disposition: attachment(fileName) })
  const title = run.references[0]?.title ?? nameOfSql(run.renderedSql)
  return sendFile(request, reply, {
    fileName,
    contentType: contentTypes[format],
    isCompressed: format === 'xlsx' || format === 'parquet',
    open: async (signal) => {
      if (format !== 'parquet') return openStreamed(result, { format, isRaw, title, signal })
      const { sizeBytes, bytes } = await openParquet(options.services, result, signal)
      reply.header('content-length', sizeBytes)
      return bytes
    },
  })
}

/** Sends a file while it is generated, which stops when the client disconnects. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: { fileName: string; contentType: string; isCompressed: boolean; open(signal: AbortSignal): Promise<Readable> },
) {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  // It may have closed before the listener was added.
  if (reply.raw.destroyed) gone.abort()
  try {
    const content = await file.open(gone.signal)
    // Set only once there is a file; an error response is not a download.
    reply.headers({ 'content-disposition': attachment(file.fileName), 'cache-control': 'private, no-store' }).type(file.contentType)
    if (file.isCompressed) return reply.send(content)
    reply.header('vary', 'accept-encoding')
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
