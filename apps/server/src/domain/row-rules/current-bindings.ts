import type { RowBinding } from '../../model/row-rule.ts'
import { currentViewer } from '../../store/viewer.ts'
import { Refusal } from '../refusal.ts'
import { readBindings } from './row-bindings.ts'

export interface CurrentBindings {
  bindings: RowBinding[]
  /** As a run keeps them. */
  text: string
}

/**
 * The bindings of the person, or the automation, that something is done for. Rejects if there are none: a database with row rules is never
 * queried without them.
 */
export function currentBindings(databaseId: string): CurrentBindings {
  const text = currentViewer()?.rowBindings?.[databaseId]
  if (text === undefined) throw rowRulesApply('This database has row rules, so it can only be queried on behalf of a member.')
  const bindings = readBindings(text)
  if (!('missing' in bindings)) return { bindings, text }
  if (bindings.missing !== null) throw attributeMissing(bindings.missing)
  throw rowRulesApply('This database has row rules without a value for automations. An admin can set one in Settings → Access.')
}

const attributeMissing = (name: string) =>
  new Refusal(
    'attribute_missing',
    `The row rules of this database need your attribute ${JSON.stringify(name)}, which is not set. Ask one of your admins to set it.`,
  )

export const rowRulesApply = (message: string) => new Refusal('row_rules_apply', message)
