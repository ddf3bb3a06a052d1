import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { sheetLayout } from '../../engines/duckdb/import/csv/csv-reading.ts'
import { readSheet } from '../../engines/duckdb/import/import-file.ts'
import type { Caller } from '../../model/caller.ts'
import { abortAfter } from '../../ports/clock.ts'
import { newId } from '../ids.ts'
import type { ChangeFileDeps } from './change-database-file.ts'
import { getWritableDatabase } from './get-writable-database.ts'
import { asRefusal, tookTooLong } from './import-refusals.ts'
import { type FilePreview, type FileToPreview, preview } from './preview-file.ts'
import { storeUpload } from './store-upload.ts'

/** The whole workbook is sent, because the list of its parts is at its end. */
export const workbookMaxBytes = 256 * 1024 * 1024

const previewRows = 1000
const previewTimeMs = 30_000
/** What a workbook may unpack to, and what the first rows of a sheet may take. */
const limits = { memoryMb: 256, fileMb: 1024 }

/** Shows how a sheet of a workbook is read. The workbook is removed afterwards. */
export async function previewSheet(
  deps: ChangeFileDeps,
  caller: Caller,
  input: FileToPreview & { sheet: string | undefined; signal: AbortSignal },
): Promise<FilePreview> {
  await getWritableDatabase(deps, caller, input.configId)
  const temporaryDirectory = path.join(deps.dataDirectory, 'temporary')
  const file = path.join(temporaryDirectory, `upload-${newId(deps.random, 'db')}`)
  const output = `${file}.csv`
  const limit = abortAfter(deps.clock, previewTimeMs)
  try {
    await storeUpload({ bytes: input.bytes, file, maxBytes: workbookMaxBytes })
    const conversion = { file, sheet: input.sheet, output, maxMb: limits.fileMb, maxRows: previewRows }
    const signal = AbortSignal.any([input.signal, limit.signal])
    const sheets = await readSheet({ temporaryDirectory, log: deps.log }, { conversion, limits }, signal)
    const converted = { bytes: await readFile(output), isWhole: true }
    return { ...preview(converted, { ...input.given, ...sheetLayout }, 'number'), sheets }
  } catch (error) {
    if (limit.signal.aborted) throw tookTooLong(previewTimeMs)
    throw asRefusal(error, { table: '', wasCanceled: input.signal.aborted })
  } finally {
    limit.cancel()
    await Promise.all([file, output].map((each) => rm(each, { force: true })))
  }
}
