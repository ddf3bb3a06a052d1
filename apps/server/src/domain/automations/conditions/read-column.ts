import type { FieldType } from '../../../model/result.ts'
import { readRows } from '../../../results/read-rows.ts'
import type { StoredResult } from '../../../results/result-store.ts'
import type { RunCondition as Condition } from '../../../model/automation.ts'
import { compares } from './compare-numbers.ts'
import type { ColumnFacts } from './judge.ts'

const numberTypes = new Set<FieldType>(['integer', 'number', 'decimal'])

/** Searches one column of a result, a batch of rows at a time, for the first value that meets the condition. */
export async function readColumn(
  stored: StoredResult,
  { column, comparison, number }: Condition & { kind: 'value' },
): Promise<ColumnFacts> {
  const { fields, batches, close } = await readRows(stored)
  const index = fields.findIndex(({ name }) => name === column)
  const type = fields[index]?.type
  if (!type || !numberTypes.has(type)) {
    await close()
    return type ? { kind: 'not_numbers', type } : { kind: 'missing', columns: fields.map(({ name }) => name) }
  }
  for await (const rows of batches) {
    const row = rows.find((each) => compares(each[index], comparison, number))
    if (row) return { kind: 'read', found: String(row[index]) }
  }
  return { kind: 'read', found: null }
}
