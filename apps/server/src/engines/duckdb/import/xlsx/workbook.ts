import { ImportFault } from '../import-fault.ts'
import { type DayFormat, dayFormatOf } from './date-cells.ts'
import { xmlEvents } from './xml-events.ts'
import type { ZipFile } from './zip-file.ts'

/** The parts of a workbook that its sheets refer to. */
export interface Workbook {
  /** Visible sheets, in their order. */
  sheets: { name: string; entry: string }[]
  epoch: 1900 | 1904
  texts: string[]
  /** For each style of a cell, whether it shows days, and how. */
  dayFormats: DayFormat[]
}

/** Texts that many cells share are held in memory. */
const textsMaxCharacters = 32 * 1024 * 1024

export async function readWorkbook(zip: ZipFile): Promise<Workbook> {
  if (!zip.has('xl/workbook.xml')) throw new ImportFault('file', 'The file is a zip archive without a workbook. Upload an .xlsx file.')
  const targets = await readTargets(zip)
  const sheets: Workbook['sheets'] = []
  let epoch: Workbook['epoch'] = 1900
  for await (const event of xmlEvents(zip.texts('xl/workbook.xml'))) {
    if (event.kind !== 'open') continue
    const { name, attributes } = event
    if (name === 'workbookPr' && /^(1|true)$/.test(attributes['date1904'] ?? '')) epoch = 1904
    const entry = targets.get(attributes['id'] ?? '')
    const isVisible = (attributes['state'] ?? 'visible') === 'visible'
    if (name === 'sheet' && isVisible && entry !== undefined && zip.has(entry)) sheets.push({ name: attributes['name'] ?? '', entry })
  }
  if (sheets.length === 0) throw new ImportFault('file', 'The workbook has no sheet with cells.')
  return { sheets, epoch, texts: await readTexts(zip), dayFormats: await readDayFormats(zip) }
}

async function readTargets(zip: ZipFile): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  for await (const event of xmlEvents(zip.texts('xl/_rels/workbook.xml.rels'))) {
    if (event.kind !== 'open' || event.name !== 'Relationship') continue
    const { Id: id = '', Target: target = '' } = event.attributes
    // Charts and other sheets without cells have other types.
    if (event.attributes['Type']?.endsWith('/worksheet')) targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  }
  return targets
}

async function readTexts(zip: ZipFile): Promise<string[]> {
  const texts: string[] = []
  if (!zip.has('xl/sharedStrings.xml')) return texts
  let [characters, depth, isText] = [0, 0, false]
  for await (const event of xmlEvents(zip.texts('xl/sharedStrings.xml'))) {
    if (event.kind === 'text') {
      if (!isText || depth > 0) continue
      characters += event.text.length
      if (characters > textsMaxCharacters) throw new ImportFault('too_large', 'The workbook has too much text. Save the sheet as CSV.')
      texts[texts.length - 1] += event.text
    } else if (event.name === 'si' && event.kind === 'open') texts.push('')
    // How a text is pronounced is not part of it.
    else if (event.name === 'rPh') depth += event.kind === 'open' ? 1 : -1
    else if (event.name === 't') isText = event.kind === 'open'
  }
  return texts
}

async function readDayFormats(zip: ZipFile): Promise<DayFormat[]> {
  const styles: DayFormat[] = []
  if (!zip.has('xl/styles.xml')) return styles
  const codes = new Map<number, string>()
  let isCellStyle = false
  for await (const event of xmlEvents(zip.texts('xl/styles.xml'))) {
    if (event.kind === 'text') continue
    if (event.name === 'cellXfs') isCellStyle = event.kind === 'open'
    if (event.kind === 'close') continue
    const id = Number(event.attributes['numFmtId'])
    if (event.name === 'numFmt') codes.set(id, event.attributes['formatCode'] ?? '')
    if (event.name === 'xf' && isCellStyle) styles.push(dayFormatOf(id, codes.get(id)))
  }
  return styles
}
