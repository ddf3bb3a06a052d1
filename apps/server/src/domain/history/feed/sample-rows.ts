import { sampleBytesMax, sampleRowsMax } from '../../../model/change-feed.ts'

const kinds = ['add', 'change', 'remove'] as const
type Kind = (typeof kinds)[number]

/**
 * Chooses the rows that an event shows: the first of each kind, about as many of each, in the order of the change. `counts` says when no
 * further row is needed.
 */
export async function sampleRows(rows: AsyncIterable<string>, counts: Record<Kind, number>): Promise<string[]> {
  const first: Record<Kind, { place: number; row: string }[]> = { add: [], change: [], remove: [] }
  let place = 0
  for await (const row of rows) {
    const kind = kindOf(row)
    if (first[kind].length < sampleRowsMax && row.length <= sampleBytesMax) first[kind].push({ place, row })
    place++
    if (kinds.every((each) => first[each].length >= Math.min(counts[each], sampleRowsMax))) break
  }
  return chosen(first)
}

function chosen(first: Record<Kind, { place: number; row: string }[]>): string[] {
  const taken: { place: number; row: string }[] = []
  let bytes = 0
  for (let round = 0; round < sampleRowsMax; round++) {
    for (const kind of kinds) {
      const next = first[kind][round]
      if (!next || taken.length === sampleRowsMax || bytes + next.row.length > sampleBytesMax) continue
      taken.push(next)
      bytes += next.row.length
    }
  }
  return taken.sort((a, b) => a.place - b.place).map(({ row }) => row)
}

/** Every row begins with its operation. */
const kindOf = (row: string): Kind => kinds.find((kind) => row.startsWith(`{"op":"${kind}"`))!
