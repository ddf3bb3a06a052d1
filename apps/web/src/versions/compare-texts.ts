import { diffSequences } from './diff-sequences.ts'

/** A piece of a line. A changed piece is highlighted. */
export interface Piece {
  text: string
  isChanged: boolean
}

export interface Line {
  /** From 1. */
  number: number
  pieces: Piece[]
}

/** A row of two texts side by side. A side that is missing has no such line. */
export interface LineRow {
  kind: 'same' | 'changed'
  before?: Line
  after?: Line
}

/** Two texts line by line. Lines that replace each other are in one row, with the words that differ. */
export function compareTexts(before: string, after: string): LineRow[] {
  const rows: LineRow[] = []
  let [beforeNumber, afterNumber] = [1, 1]
  let removed: string[] = []
  const take = (added: string[]) => {
    const [old, now] = [removed, added]
    removed = []
    for (let at = 0; at < Math.max(old.length, now.length); at += 1) {
      const [oldText, newText] = [old[at], now[at]]
      const pieces = oldText !== undefined && newText !== undefined ? comparePieces(oldText, newText) : undefined
      rows.push({
        kind: 'changed',
        ...(oldText !== undefined && { before: { number: beforeNumber++, pieces: pieces?.before ?? whole(oldText) } }),
        ...(newText !== undefined && { after: { number: afterNumber++, pieces: pieces?.after ?? whole(newText) } }),
      })
    }
  }
  for (const { kind, elements } of diffSequences(linesOf(before), linesOf(after))) {
    if (kind === 'removed') {
      removed = elements
      continue
    }
    take(kind === 'added' ? elements : [])
    if (kind === 'added') continue
    for (const text of elements) {
      rows.push({
        kind: 'same',
        before: { number: beforeNumber++, pieces: [{ text, isChanged: false }] },
        after: { number: afterNumber++, pieces: [{ text, isChanged: false }] },
      })
    }
  }
  take([])
  return rows
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replaceAll('\r\n', '\n').split('\n'))

const whole = (text: string): Piece[] => [{ text, isChanged: false }]

/** The words of two lines. Lines that have little in common are not highlighted word by word: that would be confetti. */
function comparePieces(before: string, after: string): { before: Piece[]; after: Piece[] } | undefined {
  const runs = diffSequences(wordsOf(before), wordsOf(after))
  const common = runs.filter(({ kind }) => kind === 'same').flatMap(({ elements }) => elements).join('').trim().length
  if (common * 3 < Math.min(before.trim().length, after.trim().length)) return undefined
  const side = (own: 'removed' | 'added'): Piece[] =>
    joined(
      runs
        .filter(({ kind }) => kind === 'same' || kind === own)
        .map(({ kind, elements }) => ({ text: elements.join(''), isChanged: kind === own })),
    )
  return { before: side('removed'), after: side('added') }
}

/** Joins changed pieces that only spaces separate: a phrase reads better than its words. */
function joined(pieces: Piece[]): Piece[] {
  const isBetween = (at: number) => pieces[at - 1]?.isChanged === true && pieces[at + 1]?.isChanged === true
  const marked = pieces.map(({ text, isChanged }, at) => ({ text, isChanged: isChanged || (text.trim() === '' && isBetween(at)) }))
  return marked.reduce<Piece[]>((merged, piece) => {
    const last = merged.at(-1)
    return last?.isChanged === piece.isChanged ? merged.with(-1, { ...piece, text: last.text + piece.text }) : [...merged, piece]
  }, [])
}

/** Words, spaces and single signs. */
const wordsOf = (line: string): string[] => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []

/** Rows to show, or a number of equal ones that are folded. */
export type Section = { kind: 'rows'; rows: LineRow[] } | { kind: 'folded'; rows: LineRow[] }

const contextLines = 3
/** A fold takes a line itself. */
const foldedAtLeast = 4

/** Folds equal rows that are far from any change. */
export function foldEqualRows(rows: LineRow[]): Section[] {
  const isNear = rows.map((_, at) => rows.slice(Math.max(0, at - contextLines), at + contextLines + 1).some(({ kind }) => kind === 'changed'))
  const sections: Section[] = []
  for (const [at, row] of rows.entries()) {
    const kind = isNear[at] ? 'rows' : 'folded'
    const last = sections.at(-1)
    if (last?.kind === kind) last.rows.push(row)
    else sections.push({ kind, rows: [row] })
  }
  return sections
    .map((section) => (section.kind === 'folded' && section.rows.length < foldedAtLeast ? { ...section, kind: 'rows' as const } : section))
    .reduce<Section[]>((merged, section) => {
      const last = merged.at(-1)
      if (last?.kind === 'rows' && section.kind === 'rows') return merged.with(-1, { kind: 'rows', rows: [...last.rows, ...section.rows] })
      return [...merged, section]
    }, [])
}
