import { withEllipsis } from '../../../ports/cut-text.ts'

const columnMaxWidth = 24

/** Rows of text as columns of the same width, for a font in which all letters are equally wide. */
export function alignedColumns(rows: readonly (readonly string[])[], isRight: readonly boolean[] = []): string[] {
  const texts = rows.map((row) => row.map((text) => (text.length > columnMaxWidth ? withEllipsis(text, columnMaxWidth - 1) : text)))
  const widths = (texts[0] ?? []).map((_, at) => Math.max(...texts.map((row) => (row[at] ?? '').length)))
  return texts.map((row) =>
    widths
      .map((width, at) => (isRight[at] ? (row[at] ?? '').padStart(width) : (row[at] ?? '').padEnd(width)))
      .join('  ')
      .trimEnd(),
  )
}
