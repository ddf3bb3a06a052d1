import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DownloadFormat, downloadName, openCsv, openParquet } from '../domain/results/downloads.ts'
import type { CachedResult } from '../domain/results/results.ts'
import type { RunInFull } from '../domain/runs/runs.ts'
import type { Services } from '../services.ts'
import { acceptsGzip, sendResult } from './send-result.ts'

/** Sends a result as a file to be kept. Whoever goes away before it is made also ends its making. */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  options: { services: Pick<Services, 'parquet'>; run: RunInFull; result: CachedResult; format: DownloadFormat },
) {
  const { run, result, format } = options
  // Said when there is a file: a refusal is none.
  const disposition = attachment(downloadName(run, run.references, format))
  if (format === 'json') return sendResult(request, reply, result, { disposition })
  if (format === 'csv') {
    const csv = await openCsv(result)
    reply.headers({ 'content-disposition': disposition, 'cache-control': 'private, no-store' })
    reply.type('text/csv; charset=utf-8; header=present')
    reply.header('vary', 'accept-encoding')
    if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(csv)
    reply.header('content-encoding', 'gzip')
    return reply.send(csv.compose(createGzip({ level: 1 })))
  }
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const { sizeBytes, bytes } = await openParquet(options.services, result, gone.signal)
  reply.headers({ 'content-disposition': disposition, 'cache-control': 'private, no-store' })
  reply.type('application/vnd.apache.parquet')
  reply.header('content-length', sizeBytes)
  return reply.send(bytes)
}

/** By RFC 6266: a plain name for those who read no other, and the whole one as RFC 8187 writes it. */
export function attachment(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/[^\w .()-]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
