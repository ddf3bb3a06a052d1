import type { Migration } from '../../src/store/migration-files.ts'

/**
 * The rule for migrations is *expand, then contract*: while a new version is rolled out, processes of the version
 * before work on the migrated schema. So a migration only adds (expands), in ways that older processes need not know
 * of and that hold no lock for long. What is not used any more is taken away (contracted) by a later version, when
 * all who used it are gone.
 *
 * Judged is by what is known to be harmless: a statement that is not is a *fault*, unless a person has said above it
 * why older processes bear it, or the file says what it contracts.
 */
export interface Fault {
  migration: string
  statement: string
  fault: string
}

/** `earlier`: the names of all migrations that come before. */
export function faultsOf(migration: Migration, earlier: string[]): Fault[] {
  const { name, statements, contracts } = migration
  const isNew = makeIsNew(statements)
  const faults = statements.flatMap((statement, index) => {
    if (contracts !== null || hasReason(statement)) return []
    const before = statements.slice(0, index).map(plain)
    const text = plain(statement)
    const found = migration.isWithoutTransaction ? judgeAlone(text, before) : judge(text, before, isNew)
    return found.map((fault) => ({ migration: name, statement: text, fault }))
  })
  if (contracts !== null && !earlier.includes(contracts)) {
    const fault = 'names a migration that does not come before it'
    faults.push({ migration: name, statement: `-- contracts ${contracts}`, fault })
  }
  return faults
}

/** A reason is a sentence, not a word. */
const hasReason = (statement: string) => /^-- beside older versions: \S.{20,}/m.test(statement)

/** Small letters, one space, without comments, and without what stands in strings and function bodies. */
function plain(statement: string): string {
  return statement
    .replaceAll(/--.*$/gm, ' ')
    .replaceAll(/\$\$.*?\$\$/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** What the file itself has made no older process knows. */
function makeIsNew(statements: string[]) {
  const made = new Set(statements.map((statement) => /^create table (?:if not exists )?(\w+)/.exec(plain(statement))?.[1]))
  return (table: string | undefined) => table !== undefined && made.has(table)
}

const onTable = /^(?:create (?:unique )?index \w+ on|alter table|insert into|create trigger \w+ .*? on) (\w+)/

/** `before`: the statements of the file that come before it. */
function judge(statement: string, before: string[], isNew: (table: string | undefined) => boolean): string[] {
  if (/^create (table|function|type|sequence)\b/.test(statement)) return []
  if (isNew(onTable.exec(statement)?.[1])) return []
  if (/^create (unique )?index concurrently/.test(statement)) return ['needs a file that is "-- without a transaction"']
  if (/^create (unique )?index/.test(statement)) return ['holds up all writes until the index is built: build it concurrently']
  const [, table, alteration] = /^alter table (\w+) (.*?);?$/.exec(statement) ?? []
  if (table === undefined || alteration === undefined) return ['is not known to be harmless to the version before']
  const altered = before.flatMap((each) => /^alter table (\w+)/.exec(each)?.[1] ?? [])
  const locked = altered.find((each) => each !== table && !isNew(each))
  if (locked !== undefined) return [`waits for ${table} while it locks ${locked}: put it into a file of its own`]
  return topLevelParts(alteration).flatMap((part) => judgeAlteration(part) ?? [])
}

function judgeAlteration(part: string): string | undefined {
  if (/^alter column \w+ set default /.test(part)) return undefined
  if (!part.startsWith('add column ')) return 'changes a table in another way than by adding a column'
  if (/\bnot null\b/.test(part) && !/\bdefault\b/.test(part)) return 'adds what must not be null and older ones do not fill'
  // PostgreSQL notes a constant for the rows that there are; for anything else it writes them all, under a lock.
  if (/\bdefault (?!(''|-?\d+(\.\d+)?|true|false|null)(?![\w(]))/.test(part)) return 'has a default that is not a constant'
  if (/\bgenerated\b/.test(part)) return 'adds a column that is computed for all rows under a lock'
  if (/\b(unique|primary key|check|references)\b/.test(part)) return 'adds a constraint, which reads all rows under a lock'
  return undefined
}

/**
 * Each must bear being done again, when it was cut short the first time: an index that was not finished is there, and
 * of no use.
 */
function judgeAlone(statement: string, before: string[]): string[] {
  if (/^drop index concurrently if exists \w+;?$/.test(statement)) return []
  const index = /^create index concurrently (\w+) on /.exec(statement)?.[1]
  if (index === undefined) return ['is not an index built concurrently, so it needs no file without a transaction']
  if (before.some((earlier) => earlier.startsWith(`drop index concurrently if exists ${index}`))) return []
  return [`may find its own unfinished index: begin with "drop index concurrently if exists ${index};"`]
}

function topLevelParts(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of list) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim())
}
