import type { Caller } from '../../model/caller.ts'
import { type RowRule, rowRuleLimits } from '../../model/row-rule.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { hasVisibleSchema } from '../../store/access/make-visible-schema.ts'
import { lockDatabase, setRowRules } from '../../store/databases/databases-table.ts'
import type { Db } from '../../store/db.ts'
import { requireDatabaseManagement } from '../access/require-access.ts'
import { changesOf } from '../audit/changes.ts'
import { recordChange } from '../audit/record-action.ts'
import { getDatabaseConfig, noDatabase } from '../databases/get-database-config.ts'
import { readsSavedQueries } from '../databases/reads-saved-queries.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { checkRules } from './check-rules.ts'

export interface RowRulesDeps {
  db: Db
  clock: Clock
  random: Random
}

/** Replaces the row rules of a database. Results made by other rules are not shown any more. */
export async function changeRowRules(
  deps: RowRulesDeps,
  caller: Caller,
  { databaseId, rules: given }: { databaseId: string; rules: RowRule[] },
): Promise<void> {
  requireDatabaseManagement(caller, databaseId)
  const database = await getDatabaseConfig(deps, caller, databaseId)
  if (readsSavedQueries(database)) throw badInput('/rules', 'cannot be set for the database of saved queries')
  if (given.length > rowRuleLimits.rules) throw badInput('/rules', `must have at most ${rowRuleLimits.rules} items`)
  const rules = checkRules(database.engine, given)
  const key = { organizationId: caller.organizationId, configId: databaseId }
  await deps.db.transaction().execute(async (tx) => {
    if (!(await hasVisibleSchema(tx))) {
      throw new Refusal('forbidden', 'Row rules cannot be applied yet. Give the service’s database role the privilege CREATE, then restart the service.')
    }
    const before = (await lockDatabase(tx, key)) ?? throwDeleted(databaseId)
    await setRowRules(tx, key, rules.length === 0 ? null : rules)
    await recordChange({ ...deps, tx }, caller, {
      action: 'database.row_rules_changed',
      subject: { type: 'database', id: databaseId, name: database.name },
      details: { changes: changesOf({ rules: before.rowRules ?? [] }, { rules }) },
    })
  })
}

function throwDeleted(databaseId: string): never {
  throw noDatabase(databaseId)
}
