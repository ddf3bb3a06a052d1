import { type ChangeLists, fromLists, type KnownItem, type KnownItems, type ManagedMark, type Plan, planChanges, planMarks, toChangeLists } from '@querypost/project'
import { parseTree } from '@querypost/project/files'
import { ConflictError } from '@querypost/client'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { chooseEnvironment, configurationFile, contextFor, readConfiguration } from '../project/configuration.ts'
import { readFiles, readState, writeState } from '../project/files.ts'
import { confirm } from '../project/confirm.ts'
import { openClient, toCommandError } from '../service-client.ts'

export const command = defineCommand({
  usage: '[folder]',
  description:
    'Shows how the files in this folder or the given one differ from your organization, asks, and applies all changes in one transaction. ' +
    'Renamed and moved files are renamed and moved things. If something has changed on the service since you pulled, nothing is changed.\n\n' +
    'Without a terminal, the command never asks: it applies changes only with --yes. With --check, it changes nothing, and the exit code is 2 if ' +
    'there are changes or conflicts. The key needs the scope write, and admin for metrics and question sets.',
  examples: [
    { line: 'querypost push', description: 'show the changes, ask, and apply them' },
    { line: 'querypost push --check --env production', description: 'check in CI what would change' },
    { line: 'querypost push --yes --delete', description: 'apply all changes, and delete what has no file any more' },
  ],
  options: {
    env: { type: 'string', value: 'name', description: `an environment in ${configurationFile}` },
    check: { type: 'boolean', default: false, description: 'change nothing; exit with 2 if there are changes or conflicts' },
    yes: { type: 'boolean', short: 'y', default: false, description: 'apply the changes without asking' },
    delete: { type: 'boolean', default: false, description: 'delete what has no file any more' },
  },
  async run(context, { operands, options }) {
    const [folder = '.', ...others] = operands
    if (others.length > 0) throw new CommandError(2, `${others[0]} is one argument too many.`)
    const configuration = await readConfiguration(folder)
    const place = folder === '.' ? 'this folder' : folder
    if (!configuration) throw new CommandError(1, `There is no ${configurationFile} in ${place}. Run querypost pull first.`)
    const environment = chooseEnvironment(configuration, options.env)
    const { isJson, signal, stdout, stderr } = context
    try {
      const client = openClient(contextFor(context, environment))
      const known = await readState(folder, environment.name)
      const stored = fromLists(await client.project.get({ signal }))
      const changes = await makePlan(folder, { stored, known, deletes: options.delete })
      const plan: PushPlan = { ...changes, marks: planMarks(changes, { stored, managed: environment.managed }) }
      if (isJson) stdout.write(`${JSON.stringify(presentPlan(plan))}\n`)
      else print(context, plan)
      const lists = toChangeLists(plan.changes) as Parameters<typeof client.project.apply>[0] & ChangeLists
      const body = { ...lists, ...(plan.marks.length > 0 && { managed: plan.marks }) }
      const hasWork = countOf(plan) > 0
      if (plan.conflicts.length > 0) {
        stderr.write('Nothing was changed. Pull, resolve the conflicts, then push again.\n')
        return options.check ? 2 : 1
      }
      if (options.check) {
        if (hasWork) await client.project.apply({ ...body, isDryRun: true }, { signal })
        return hasWork ? 2 : 0
      }
      if (!hasWork) {
        await writeState(folder, environment.name, nextState(known, plan, []))
        return 0
      }
      if (!options.yes && !(await confirm(context, `Apply ${describeCount(plan)} to ${environment.name}?`))) return 1
      const { items } = await client.project.apply(body, { signal })
      await writeState(folder, environment.name, nextState(known, plan, items))
      stderr.write(`Applied ${describeCount(plan)}.\n`)
      return 0
    } catch (error) {
      if (signal.aborted) return 1
      throw withDetails(error)
    }
  },
})

interface PushPlan extends Plan {
  marks: ManagedMark[]
}

async function makePlan(folder: string, rest: Omit<Parameters<typeof planChanges>[0], 'files'>): Promise<Plan> {
  const { items, faults } = parseTree(await readFiles(folder))
  if (faults.length > 0) throw new CommandError(1, faults.map(({ file, message }) => `${file} ${message}`).join('\n'))
  return planChanges({ files: items, ...rest })
}

const presentPlan = ({ changes, conflicts, marks }: PushPlan) => ({
  changes: changes.map(({ action, kind, path, words }) => ({ action, kind, path, words })),
  conflicts,
  managed: marks,
})

const countOf = ({ changes, marks }: PushPlan) => changes.length + marks.length

const describeCount = (plan: PushPlan) => (countOf(plan) === 1 ? '1 change' : `${countOf(plan)} changes`)

const describeMarks = (marks: ManagedMark[], words: string) => `${marks.length === 1 ? '1 item' : `${marks.length} items`} ${words}\n`

function print({ stdout, stderr, paint }: Context, plan: PushPlan): void {
  const { changes, conflicts, notes, marks } = plan
  const width = Math.max(0, ...[...changes, ...conflicts].map(({ path }) => path.length))
  for (const { action, path, words } of changes) stdout.write(`${action.padEnd(8)}  ${path.padEnd(width)}  ${words}\n`)
  for (const { path, words } of conflicts) stdout.write(`${paint.stdout.red('conflict')}  ${path.padEnd(width)}  ${words}\n`)
  const { managed = [], unmanaged = [] } = Object.groupBy(marks, ({ url }) => (url === null ? 'unmanaged' : 'managed'))
  if (managed.length > 0) stdout.write(`manage    ${describeMarks(managed, 'in Git: read-only on the pages')}`)
  if (unmanaged.length > 0) stdout.write(`release   ${describeMarks(unmanaged, 'to be edited on the pages again')}`)
  for (const { path, words } of notes) stderr.write(`${paint.stderr.dim(`${path}: ${words}`)}\n`)
  if (countOf(plan) + conflicts.length === 0) stderr.write('There is nothing to push.\n')
}

/** Deleted items are forgotten. Items that the plan left alone stay as they were known. */
function nextState(known: KnownItems, { unchanged, changes, notes }: Plan, applied: (KnownItem & { path: string })[]): KnownItems {
  const left = notes.flatMap(({ path }) => (known.has(path) ? [[path, known.get(path)!] as const] : []))
  const isDeleted = new Set(changes.flatMap(({ action, path }) => (action === 'delete' ? [path] : [])))
  const now = applied.map(({ path, kind, id, hash, name }) => [path, { kind, id, hash, name }] as const)
  return new Map([...left.filter(([path]) => !isDeleted.has(path)), ...unchanged, ...now])
}

/** The service lists every conflict and names the files of what it refuses. */
function withDetails(error: unknown): unknown {
  const shown = toCommandError(error)
  if (!(error instanceof ConflictError) || !(shown instanceof CommandError)) return shown
  const details = (error.details ?? []).map(({ path, message }) => `\n  ${path}: ${message}`)
  return new CommandError(shown.exitCode, `${shown.message}${details.join('')}`)
}
