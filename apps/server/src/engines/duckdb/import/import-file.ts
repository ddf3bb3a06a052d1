/**
 * Imports a file of rows into a DuckDB file, in a separate process (`import-child.ts`).
 *
 * - The *target* is a DuckDB file that nothing else has open: a copy, or one that does not exist yet. If the import fails, the
 *   target is unusable and the caller removes it.
 * - The *source* is the only file that the process lets DuckDB read. Its contents are not trusted.
 * - The operating system limits the process's memory and the size of any file it writes. The signal limits its time.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../../ports/log.ts'
import type { Column } from '../../engine.ts'
import { childEnvironment } from '../child-environment.ts'
import { politeExec } from '../process.ts'
import { startChild } from '../start-child.ts'
import type { CsvReading } from './csv/csv-reading.ts'
import type { SheetConversion } from './xlsx/convert-sheet.ts'
import { ImportFault, type ImportFaultKind } from './import-fault.ts'

/** CSV and both kinds of JSON may be compressed with gzip. */
export const fileFormats = ['csv', 'jsonl', 'json', 'parquet', 'xlsx'] as const
export type FileFormat = (typeof fileFormats)[number]

export const existingTableChoices = ['refuse', 'replace', 'append', 'upsert'] as const
export type ExistingTableChoice = (typeof existingTableChoices)[number]

export interface ImportSource {
  file: string
  format: FileFormat
  table: string
  ifExists: ExistingTableChoice
  /** For `upsert`: rows with the same values in these columns are replaced. */
  keys?: string[]
  /** How a CSV file or a sheet is read. Detected without it. */
  reading?: CsvReading
  /** Of a workbook: the first one without a name. */
  sheet?: string
}

/** A table of the schema `main` that is deleted or, with `newName`, renamed. */
export interface TableChange {
  table: string
  newName?: string
}

export interface ImportRequest {
  /** Absolute path of the target. */
  target: string
  /** Without a source or a change, an empty target is created. */
  source?: ImportSource
  change?: TableChange
  limits: ImportLimits
}

/** Writes the first rows of a sheet as CSV. */
export interface SheetRequest {
  conversion: SheetConversion
  limits: ImportLimits
}

export interface ImportLimits {
  memoryMb: number
  /** Limits the target and, separately, the data spilled to disk. */
  fileMb: number
}

/** The imported table. Empty without a source. */
export interface Imported {
  columns: Column[]
  rowCount: number
  /** The number of tables and views now in the target. */
  tableCount: number
}

/** The message that the child writes before it exits. */
export type ImportAnswer = { imported: Imported } | { sheets: string[] } | { fault: { kind: ImportFaultKind; message: string } }

const childFile = fileURLToPath(new URL('./import-child.ts', import.meta.url))

/** Node and DuckDB map this much writable memory before they begin, most of it never touched; see `../process.ts`. */
const processOverheadMb = 1024

/**
 * As in `../process.ts`, plus `-f`, in blocks of 512 bytes: no file can grow beyond it, whatever the source expands to.
 */
const launchScript = `ulimit -c 0 2>/dev/null; ulimit -d "$1" 2>/dev/null; ulimit -f "$2" 2>/dev/null; shift 2; ${politeExec}`

export async function importFile(
  deps: { temporaryDirectory: string; log: Log },
  request: ImportRequest,
  signal: AbortSignal,
): Promise<Imported> {
  const answer = await runInFolder(deps, request, signal)
  if (!('imported' in answer)) throw new Error('The import process answered something else.')
  return answer.imported
}

/** The names of all sheets of a workbook, one of which is written as CSV. */
export async function readSheet(
  deps: { temporaryDirectory: string; log: Log },
  request: SheetRequest,
  signal: AbortSignal,
): Promise<string[]> {
  const answer = await runInFolder(deps, request, signal)
  if (!('sheets' in answer)) throw new Error('The import process answered something else.')
  return answer.sheets
}

type Success = Exclude<ImportAnswer, { fault: unknown }>

async function runInFolder(
  deps: { temporaryDirectory: string; log: Log },
  request: ImportRequest | SheetRequest,
  signal: AbortSignal,
): Promise<Success> {
  const folder = await mkdtemp(join(deps.temporaryDirectory, 'import-'))
  try {
    return await runChild(deps, { request, folder, signal })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runChild(
  deps: { log: Log },
  { request, folder, signal }: { request: ImportRequest | SheetRequest; folder: string; signal: AbortSignal },
): Promise<Success> {
  if (signal.aborted) throw stopped()
  const { memoryMb, fileMb } = request.limits
  const command = [process.execPath, '--max-old-space-size=256', childFile, JSON.stringify(request)]
  const bounds = [String((memoryMb + processOverheadMb) * 1024), String(fileMb * 2048)]
  const child = startChild('/bin/sh', ['-c', launchScript, 'sh', ...bounds, ...command], {
    cwd: folder,
    env: childEnvironment(),
    // The child's stdin stays open as long as this process lives. The child exits when it closes.
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  child.stdin!.on('error', () => {})
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: error.message }))
    child.on('close', (code, killedBy) => resolve({ code, signal: killedBy }))
  })
  const [answer, errors, end] = await Promise.all([textOf(child.stdio[3] as Readable), textOf(child.stderr!), ended])
  signal.removeEventListener('abort', stop)
  if (signal.aborted) throw stopped()
  const parsed = parseAnswer(answer)
  if (parsed && !('fault' in parsed)) return parsed
  if (parsed) throw new ImportFault(parsed.fault.kind, parsed.fault.message)
  deps.log.warn({ engine: 'duckdb', ...end, stderr: errors.slice(-4096) }, 'import process ended unexpectedly')
  throw unexpectedEnd(end.signal, fileMb)
}

const stopped = () => new ImportFault('stopped', 'The import was stopped.')

function unexpectedEnd(killedBy: string | null, fileMb: number): ImportFault {
  return killedBy === 'SIGXFSZ'
    ? new ImportFault('too_large', `The database would grow beyond ${fileMb} MiB.`)
    : new ImportFault('too_large', 'Reading the file took more memory than an import may use.')
}

const keptCharacters = 1024 * 1024

/** The child's whole output, up to a limit, because it is not trusted to be short. */
async function textOf(stream: Readable): Promise<string> {
  let text = ''
  try {
    for await (const chunk of stream.setEncoding('utf8')) if (text.length < keptCharacters) text += String(chunk)
  } catch {
    // A broken pipe is treated as the end. The process's exit status tells why.
  }
  return text
}

function parseAnswer(text: string): ImportAnswer | undefined {
  try {
    return JSON.parse(text) as ImportAnswer
  } catch {
    return undefined
  }
}
