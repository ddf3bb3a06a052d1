import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { DownloadedResult, Field } from '@querypost/answers'
import { CommandError } from '../command.ts'

/**
 * Reads downloaded results from a folder: `<runId>.json`, or `<runId>.json.gz` or `.zst` with the bytes as the service stores them. The
 * service hashes those bytes, so only they show whether a result is the original.
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
  const packed = await readPacked(file)
  const bytes = packed?.unpacked ?? (await readIfPresent(file))
  if (!bytes) return undefined
  return { runId, ...parse(file, bytes), parameters: {}, title: null, ...(packed && { resultHash: packed.hash }) }
}

const packings = [
  { extension: '.gz', name: 'gzip', unpack: gunzipSync },
  { extension: '.zst', name: 'zstd', unpack: zstdDecompressSync },
]

async function readPacked(file: string): Promise<{ unpacked: Buffer; hash: string } | undefined> {
  for (const { extension, name, unpack } of packings) {
    const packed = await readIfPresent(`${file}${extension}`)
    if (!packed) continue
    try {
      return { unpacked: unpack(packed), hash: createHash('sha256').update(packed).digest('base64url') }
    } catch (error) {
      throw new CommandError(2, `${file}${extension} is not compressed with ${name}: ${(error as Error).message}`)
    }
  }
  return undefined
}

async function readIfPresent(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CommandError(2, `Can’t read ${file}: ${(error as Error).message}`)
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
