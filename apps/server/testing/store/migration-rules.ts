import type { Migration } from '../../src/store/migration-files.ts'

/**
 * The rule for migrations is *expand, then contract*: while a new version is rolled out, processes of the previous version
 * work with the migrated schema. So a migration only adds (expands), in ways that older processes need not know about and
 * that hold no lock for long. What is no longer used is removed (contracted) by a later version, when all processes that
 * used it are gone.
 *
 * Only statements known to be safe are accepted. Any other is a *fault*, unless a comment above it explains why older
 * processes can handle it, or the file declares what it contracts.
 */
export interface Fault {
  migration: string
  statement: string
  fault: string
}

/** `earlier`: the names of all previous migrations. */
export function faultsOf(migration: Migration, earlier: string[]): Fault[] {
  const { name, statements, contracts } = migration
  const isNew = makeIsNew(statements)
  const faults = statements.flatMap((statement, index) => {
    if (contracts !== null || hasReason(statement)) return []
    const before = statements.slice(0, index).map(normalized)
    const text = normalized(statement)
    const found = migration.isWithoutTransaction ? judgeAlone(text, before) : judge(text, before, isNew)
    return found.map((fault) => ({ migration: name, statement: text, fault }))
  })
  if (contracts !== null && !earlier.includes(contracts)) {
    const fault = 'names a migration that does not precede it'
    faults.push({ migration: name, statement: `-- contracts ${contracts}`, fault })
  }
  return faults
}

/** Requires a sentence as a reason, not a word. */
const hasReason = (statement: string) => /^-- beside older versions: \S.{20,}/m.test(statement)

/** In lower case with single spaces, without comments and the contents of strings and function bodies. */
function normalized(statement: string): string {
  return statement
    .replaceAll(/--.*$/gm, ' ')
    .replaceAll(/\$\$.*?\$\$/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** Older processes do not know tables created by the file itself. */
function makeIsNew(statements: string[]) {
  const made = new Set(statements.map((statement) => /^create table (?:if not exists )?(\w+)/.exec(normalized(statement))?.[1]))
  return (table: string | undefined) => table !== undefined && made.has(table)
}

const onTable = /^(?:create (?:unique )?index \w+ on|alter table|insert into|create trigger \w+ .*? on) (\w+)/

/** `before`: the previous statements of the file. */
function judge(statement: string, before: string[], isNew: (table: string | undefined) => boolean): string[] {
  if (/^create (table|function|type|sequence)\b/.test(statement)) return []
  if (isNew(onTable.exec(statement)?.[1])) return []
  if (/^create (unique )?index concurrently/.test(statement)) return ['needs a file marked "-- without a transaction"']
  if (/^create (unique )?index/.test(statement)) return ['blocks all writes until the index is built: build it concurrently']
  const [, table, alteration] = /^alter table (\w+) (.*?);?$/.exec(statement) ?? []
  if (table === undefined || alteration === undefined) return ['is not known to be safe for the previous version']
  const altered = before.flatMap((each) => /^alter table (\w+)/.exec(each)?.[1] ?? [])
  const locked = altered.find((each) => each !== table && !isNew(each))
  if (locked !== undefined) return [`waits for ${table} while it locks ${locked}: put it into its own file`]
  return topLevelParts(alteration).flatMap((part) => judgeAlteration(part) ?? [])
}

function judgeAlteration(part: string): string | undefined {
  if (/^alter column \w+ set default /.test(part)) return undefined
  if (!part.startsWith('add column ')) return 'changes a table other than by adding a column'
  if (/\bnot null\b/.test(part) && !/\bdefault\b/.test(part)) return 'adds a not-null column that older processes do not fill'
  // PostgreSQL stores a constant default once for all existing rows. For any other default it rewrites them all, under a lock.
  if (/\bdefault (?!(''|-?\d+(\.\d+)?|true|false|null)(?![\w(]))/.test(part)) return 'has a default that is not a constant'
  if (/\bgenerated\b/.test(part)) return 'adds a column that is computed for all rows under a lock'
  if (/\b(unique|primary key|check|references)\b/.test(part)) return 'adds a constraint, which reads all rows under a lock'
  return undefined
}

/**
 * Each statement must be repeatable after an interruption: an unfinished index exists, but is invalid.
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
