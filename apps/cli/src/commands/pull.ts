import { type FileItem, fromLists } from '@querypost/project'
import { parseTree, planPull, type PullPlan } from '@querypost/project/files'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { chooseEnvironment, configurationFile, contextFor, firstConfiguration, readConfiguration } from '../project/configuration.ts'
import { readFiles, readState, removeFile, writeState, writeTextFile } from '../project/files.ts'
import { openClient, toCommandError } from '../service-client.ts'

export const command = defineCommand({
  usage: '[folder]',
  description:
    'Writes the folders, queries, boards, automations, metrics and question sets of your organization as files, into this folder or the given one. ' +
    'Files that you have edited since the last pull or push stay as they are.\n\n' +
    'If an item has changed both in its file and on the service, the command says so, keeps the file, and the exit code is 1.',
  examples: [
    { line: 'querypost pull', description: 'write the files into this folder' },
    { line: 'querypost pull analytics --env staging', description: 'write those of one environment into the folder analytics' },
  ],
  options: { env: { type: 'string', value: 'name', description: `an environment in ${configurationFile}` } },
  async run(context, { operands, options }) {
    const [folder = '.', ...others] = operands
    if (others.length > 0) throw new CommandError(2, `${others[0]} is one argument too many.`)
    const configuration = await readConfiguration(folder)
    const environment = chooseEnvironment(configuration ?? { environments: [] }, options.env)
    const { stdout, isJson, signal } = context
    try {
      const stored = fromLists(await openClient(contextFor(context, environment)).project.get({ signal }))
      const texts = await readFiles(folder).catch(whenMissing)
      const known = await readState(folder, environment.name)
      const plan = planPull({ files: readable(texts), texts, stored, known })
      if (!configuration) await writeTextFile(folder, configurationFile, firstConfiguration)
      for (const file of plan.removed) await removeFile(folder, file)
      for (const [file, text] of plan.written) await writeTextFile(folder, file, text)
      await writeState(folder, environment.name, plan.known)
      if (isJson) stdout.write(`${JSON.stringify({ written: [...plan.written.keys()], removed: plan.removed, conflicts: plan.conflicts })}\n`)
      else print(context, plan)
      return plan.conflicts.length > 0 ? 1 : 0
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})

function whenMissing(error: NodeJS.ErrnoException): Map<string, string> {
  if (error.code === 'ENOENT') return new Map()
  throw error
}

/** A file that cannot be read would look deleted, and its edit would be lost. */
function readable(texts: ReadonlyMap<string, string>): FileItem[] {
  const { items, faults } = parseTree(texts)
  const [fault] = faults
  if (fault) throw new CommandError(1, `${fault.file} ${fault.message} Correct it, then pull again.`)
  return items
}

function print({ stdout, stderr, paint }: Context, { written, removed, conflicts }: PullPlan): void {
  for (const file of [...written.keys()].toSorted()) stdout.write(`write   ${file}\n`)
  for (const file of removed.toSorted()) stdout.write(`remove  ${file}\n`)
  if (written.size + removed.length === 0) stderr.write('The files are up to date.\n')
  for (const { path, words } of conflicts) stderr.write(`${paint.stderr.red('conflict')}  ${path}: ${words}\n`)
  if (conflicts.length > 0) stderr.write('Files with conflicts were not changed. To get the state of the service, restore such a file from Git and pull again.\n')
}
