import { open } from 'node:fs/promises'
import path from 'node:path'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { toCommandError, readSettings, showPercents, sizeText } from './backup-messages.ts'

export const command = defineCommand({
  usage: '<file>',
  description:
    'Restores a backup into an empty DATA_DIR. Before anything is put in place, the whole archive is read, every file is\n' +
    'compared with its checksum, and the store is opened. Stop the service first. Run it with the settings of the service\n' +
    '(DATA_DIR, DATABASE_URL, SECRET_KEY).',
  examples: [
    { line: 'querypost restore querypost-backup-20260105T090000Z.tar.gz', description: 'restore into DATA_DIR (./data)' },
    { line: 'querypost restore monday.tar.gz --data-dir /srv/other', description: 'restore into another folder' },
    { line: 'querypost restore monday.tar.gz --replace', description: 'replace the existing data, which is moved aside' },
  ],
  options: {
    'data-dir': { type: 'string', value: 'folder', description: 'the folder to restore into (default: DATA_DIR)' },
    replace: { type: 'boolean', description: 'move existing data to DATA_DIR/replaced-<time>' },
  },
  common: ['json'],
  async run(context, { operands, options }) {
    const [file, ...rest] = operands
    if (!file || rest.length > 0) {
      throw new CommandError(2, 'Name the backup: querypost restore querypost-backup-<time>.tar.gz')
    }
    if (file === '-' && context.stdin.isTTY) throw new CommandError(2, 'Standard input is a terminal. Redirect an archive to it.')
    return restoreFrom(context, { file, dataDirectory: options['data-dir'], isReplacing: options.replace === true })
  },
})

async function restoreFrom(
  context: Context,
  given: { file: string; dataDirectory: string | undefined; isReplacing: boolean },
): Promise<0> {
  const { environment, clock, signal, isJson, stdout, stderr, paint } = context
  const startedMs = clock.monotonicMs()
  const settings = await readSettings(environment)
  const dataDirectory = given.dataDirectory === undefined ? settings.dataDirectory : path.resolve(given.dataDirectory)
  const input = given.file === '-' ? context.stdin : await openFile(given.file)
  const [{ restore }, { secureRandom }] = await Promise.all([
    import('@querypost/server/backup'),
    import('@querypost/server/ports'),
  ])
  const progress = showPercents(context, 'Reading')
  try {
    const restored = await restore({
      input,
      config: { ...settings, dataDirectory },
      isReplacing: given.isReplacing,
      clock,
      random: secureRandom,
      processId: process.pid,
      signal,
      onProgress: progress.onProgress,
    })
    progress.clear()
    const durationMs = Math.round(clock.monotonicMs() - startedMs)
    if (isJson) {
      const { backup, ...rest } = restored
      stdout.write(`${JSON.stringify({ ...rest, ...backup, durationMs })}\n`)
      return 0
    }
    const { backup, contentBytes, fileCount, replaced } = restored
    const content = `${sizeText(contentBytes)} in ${fileCount} files, as of ${backup.createdAt}`
    const notes = [
      `${paint.stderr.green('Restored')} ${content} (Querypost ${backup.querypostVersion}).`,
      ...(replaced ? [`The previous data is in ${replaced}.`] : []),
      ...(backup.secretKey === 'given' && !settings.secretKey
        ? ['The archive does not contain SECRET_KEY. Start the service with the key it had when the backup was made.']
        : []),
      'Changes after the backup are lost. docs/backups.md explains what that means for keys, webhooks and schedules.',
    ]
    stdout.write(`${dataDirectory}\n`)
    stderr.write(`${notes.join('\n')}\n`)
    return 0
  } catch (error) {
    throw toCommandError(error, { signal, outcome: 'Nothing was restored.' })
  } finally {
    progress.clear()
    // The input may be unread if the restore failed early.
    input.destroy()
  }
}

async function openFile(file: string) {
  try {
    return (await open(file)).createReadStream({ highWaterMark: 256 * 1024 })
  } catch (error) {
    throw new CommandError(2, `Can’t read ${file}: ${(error as Error).message}`)
  }
}
