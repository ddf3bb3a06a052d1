import { writeZip } from '../../src/results/downloads/xlsx/write-zip.ts'

export interface WorkbookParts {
  /** The XML of the rows of each sheet, by name. */
  sheets: Record<string, string>
  texts?: string[]
  /** Further attributes of sheets, by name, such as `state="hidden"`. */
  attributes?: Record<string, string>
  date1904?: boolean
}

/** A workbook as spreadsheet programs write it. Style 1 is a date, 2 a date with a time of a custom format, 3 a number with units. */
export async function makeWorkbook({ sheets, texts = [], attributes = {}, date1904 = false }: WorkbookParts): Promise<Buffer> {
  const names = Object.keys(sheets)
  const entries: Record<string, string> = {
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns:r="r"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" ${attributes[name] ?? ''} r:id="rId${at}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map((_, at) => `<Relationship Id="rId${at}" Type="http://x/worksheet" Target="worksheets/sheet${at}.xml"/>`)
      .join('')}</Relationships>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy hh:mm"/><numFmt numFmtId="165" formatCode="0&quot; days&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    ...Object.fromEntries(
      names.map((name, at) => [`xl/worksheets/sheet${at}.xml`, `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`]),
    ),
  }
  return packEntries(entries)
}

export async function packEntries(entries: Record<string, string>): Promise<Buffer> {
  const chunks: Buffer[] = []
  const given = Object.entries(entries).map(([name, content]) => ({ name, content: [content] }))
  async function* list() {
    yield* given
  }
  for await (const chunk of writeZip(list())) chunks.push(chunk)
  return Buffer.concat(chunks)
}
