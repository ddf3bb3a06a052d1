/** Tables whose rows are in Parquet files outside the database. They are views, and the files are the only ones that SQL can read. */
import { rmSync, symlinkSync } from 'node:fs'
import type { FileTable } from '../engine.ts'

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`
/** Relative to the working directory, so that the views reveal no path. */
const linkName = (index: number) => `input_${index + 1}.parquet`

export function linkFiles(tables: FileTable[]): void {
  for (const [index, { file }] of tables.entries()) symlinkSync(file, linkName(index))
}

export function unlinkFiles(tables: FileTable[]): void {
  for (const index of tables.keys()) rmSync(linkName(index), { force: true })
}

/** For each connection, because temporary views belong to one. */
export const createViews = (tables: FileTable[]): string[] =>
  tables.map(({ name }, index) => `CREATE TEMP VIEW ${identifier(name)} AS SELECT * FROM read_parquet(${text(linkName(index))})`)

/** Before external access is turned off. */
export const allowFiles = (tables: FileTable[]): string[] =>
  tables.length === 0 ? [] : [`SET allowed_paths = [${tables.map((_, index) => text(linkName(index))).join(', ')}]`]
