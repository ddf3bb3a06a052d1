import { withEllipsis } from '../../../ports/cut-text.ts'

/**
 * - `file`: the source cannot be read in the stated format.
 * - `mismatch`: the rows of the file do not match the existing table.
 * - `exists`: a table with that name exists, or something else that cannot be replaced.
 * - `target`: the DuckDB file cannot be opened or written.
 * - `too_large`: a limit was reached.
 * - `stopped`: the signal aborted.
 */
export type ImportFaultKind = 'file' | 'mismatch' | 'exists' | 'target' | 'too_large' | 'stopped'

export class ImportFault extends Error {
  override readonly name = 'ImportFault'
  readonly kind: ImportFaultKind

  /** `message` is shown to the person who uploaded the file and contains none of the service's paths. */
  constructor(kind: ImportFaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

const shownCharacters = 300

/** A fault at a line of the file: what is wrong, the line itself, and the remedy. */
export function faultInLine(place: { line: number; wrong: string; text: string; remedy: string }): ImportFault {
  const shown = withEllipsis(place.text.trim(), shownCharacters)
  const parts = [`Line ${place.line} of the file cannot be read: ${place.wrong}.`, shown, place.remedy]
  return new ImportFault('file', parts.filter((part) => part !== '').join('\n'))
}
