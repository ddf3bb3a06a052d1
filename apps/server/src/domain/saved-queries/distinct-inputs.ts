import type { RefCall } from '../../engines/lineage/ref-calls.ts'

/** Calls with the same values read the same input. */
const keyOf = ({ shortId, values }: RefCall) => JSON.stringify([shortId, Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))])

/** One call for each input, in the order in which the SQL first names them, and the index of the input that each call reads. */
export function distinctInputs(calls: RefCall[]): { inputs: RefCall[]; indexOf(call: RefCall): number } {
  const byKey = new Map<string, RefCall>()
  for (const call of calls) if (!byKey.has(keyOf(call))) byKey.set(keyOf(call), call)
  const keys = [...byKey.keys()]
  return { inputs: [...byKey.values()], indexOf: (call) => keys.indexOf(keyOf(call)) }
}

/** The name of an input's table: the id, and a number if the SQL reads the same saved query with other values before. */
export function tableNameOf(inputs: RefCall[], index: number): string {
  const { shortId } = inputs[index]!
  const earlier = inputs.slice(0, index).filter((input) => input.shortId === shortId).length
  return earlier === 0 ? shortId : `${shortId}_${earlier + 1}`
}
