import type { Field } from '../../../model/result.ts'
import type { RawRows } from '../../read-rows.ts'
import { eachValue } from '../download-values.ts'
import { cellOf, columnLetters, styles, textCell } from './cells.ts'
import { makeSheetNames } from './sheet-names.ts'
import { contentTypes, rootRelationships, sheetFile, sheetStart, styleSheet, workbook, workbookRelationships } from './workbook-parts.ts'
import { writeZip, type ZipEntry } from './write-zip.ts'

export const xlsxContentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Limits of Excel. */
export const sheetLimits = { rows: 1_048_576, columns: 16_384 } as const
/** A ZIP file cannot hold more than 4 GiB in one file. */
const sheetMaxBytes = 2 * 1024 ** 3

export interface SheetSource {
  title: string
  /** Opened when its turn comes. */
  open(): Promise<RawRows>
}

/**
 * Writes results as an Excel workbook, one sheet each, while they are read. Numbers, dates and times are real ones, in which people can
 * calculate; numbers with more digits than Excel has, and everything else, are text. A result with more rows than a sheet can have
 * continues on another sheet.
 */
export function writeXlsx(sources: Iterable<SheetSource>, limits: { rows: number } = sheetLimits): AsyncGenerator<Buffer> {
  return writeZip(entriesOf(sources, limits))
}

async function* entriesOf(sources: Iterable<SheetSource>, limits: { rows: number }): AsyncGenerator<ZipEntry> {
  const nameOf = makeSheetNames()
  const names: string[] = []
  for (const { title, open } of sources) {
    const rows = await open()
    const sheets = makeSheets(rows, limits)
    try {
      do {
        yield { name: sheetFile(names.length), content: sheets.next() }
        names.push(nameOf(title))
      } while (sheets.isMore())
    } finally {
      await rows.batches.return(undefined)
    }
  }
  yield { name: '[Content_Types].xml', content: [contentTypes(names.length)] }
  yield { name: '_rels/.rels', content: [rootRelationships] }
  yield { name: 'xl/workbook.xml', content: [workbook(names)] }
  yield { name: 'xl/_rels/workbook.xml.rels', content: [workbookRelationships(names.length)] }
  yield { name: 'xl/styles.xml', content: [styleSheet] }
}

/** The rows of a result as the contents of sheets. */
function makeSheets({ fields: all, batches }: RawRows, limits: { rows: number }) {
  const fields = all.slice(0, sheetLimits.columns)
  const letters = fields.map((_, at) => columnLetters(at))
  /** Rows that were read, but belong to the next sheet. */
  let waiting: string[][] = []
  let isOver = false

  async function* next(): AsyncGenerator<string> {
    let line = 1
    let writtenBytes = 0
    const heads = fields.map(({ name }, at) => textCell(name, `${letters[at]}1`, styles.head))
    yield `${sheetStart(columnsOf(fields))}<row r="1">${heads.join('')}</row>`
    const write = (rows: string[][]) => {
      let out = ''
      let taken = 0
      for (const row of rows) {
        if (line >= limits.rows || writtenBytes + out.length > sheetMaxBytes) break
        line += 1
        taken += 1
        const cells = row.map((json, at) => cellOf(json, fields[at]!, `${letters[at]}${line}`)).filter((cell) => cell !== null)
        out += `<row r="${line}">${cells.join('')}</row>`
      }
      waiting = rows.slice(taken)
      writtenBytes += out.length
      return out
    }
    yield write(waiting)
    while (waiting.length === 0 && !isOver) {
      const batch = await batches.next()
      if (batch.done) isOver = true
      else yield write(rowsOf(batch.value, fields.length))
    }
    const range = `A1:${letters.at(-1) ?? 'A'}${line}`
    yield `</sheetData>${fields.length === 0 ? '' : `<autoFilter ref="${range}"/>`}</worksheet>`
  }

  return { next, isMore: () => waiting.length > 0 }
}

function rowsOf(batch: string, columnCount: number): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  eachValue(batch, {
    value: (json, column) => void (column < columnCount && row.push(json)),
    rowEnd() {
      rows.push(row)
      row = []
    },
  })
  return rows
}

function columnsOf(fields: readonly Field[]): string {
  if (fields.length === 0) return ''
  const columns = fields.map(({ name, type }, at) => {
    const least = type === 'timestamp' ? 20 : type === 'date' ? 12 : type === 'string' || type === 'json' ? 18 : 10
    const width = Math.min(40, Math.max(least, Array.from(name).length + 4))
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`
  })
  return `<cols>${columns.join('')}</cols>`
}
