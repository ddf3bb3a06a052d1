import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { DownloadedResult, Field } from '@querypost/answers'
import { CommandError } from '../command.ts'

/**
 * Reads downloaded results from a folder: `<runId>.json`, or `<runId>.json.gz` with the bytes as the service stores them. The service
 * hashes those bytes, so only they show whether a result is the original.
 */
export async function readResults(folder: string, runIds: readonly string[]): Promise<Map<string, DownloadedResult>> {
  const results = new Map<string, DownloadedResult>()
  for (const runId of runIds) {
    const result = await readResult(folder, runId)
    if (result) results.set(runId, result)
  }
  return results
}

async function readResult(folder: string, runId: string): Promise<DownloadedResult | undefined> {
  // A run id is part of a file name here, and comes from a file that anyone may have written.
  if (!/^run_\w+$/.test(runId)) return undefined
  const file = path.join(folder, `${runId}.json`)
  const packed = await readIfPresent(`${file}.gz`)
  const bytes = packed ? unpack(`${file}.gz`, packed) : await readIfPresent(file)
  if (!bytes) return undefined
  const resultHash = packed && createHash('sha256').update(packed).digest('base64url')
  return { runId, ...parse(file, bytes), parameters: {}, title: null, ...(resultHash && { resultHash }) }
}

async function readIfPresent(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CommandError(2, `Can’t read ${file}: ${(error as Error).message}`)
  }
}

function unpack(file: string, packed: Buffer): Buffer {
  try {
    return gunzipSync(packed)
  } catch (error) {
    throw new CommandError(2, `${file} is not compressed with gzip: ${(error as Error).message}`)
  }
}

function parse(file: string, bytes: Buffer): { fields: Field[]; rows: unknown[][] } {
  const content = readJson(file, bytes) as { fields?: unknown; rows?: unknown } | null
  const isResult = Array.isArray(content?.fields) && Array.isArray(content.rows) && content.rows.every(Array.isArray)
  if (!isResult) throw new CommandError(2, `${file} is not a result. Download it as JSON.`)
  return content as { fields: Field[]; rows: unknown[][] }
}

export function readJson(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new CommandError(2, `${file} is not JSON: ${(error as Error).message}`)
  }
}
