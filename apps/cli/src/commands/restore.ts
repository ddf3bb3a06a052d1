import { open } from 'node:fs/promises'
import path from 'node:path'
import { Complaint, type Context, defineCommand } from '../command.ts'
import { asComplaint, readSettings, showPercents, sizeText } from './backup-words.ts'

export const command = defineCommand({
  usage: '<file>',
  description:
    'Restores a backup into an empty DATA_DIR. The archive is read to its end, each file is compared with its checksum\n' +
    'and the store is opened, before anything is put in its place. No service may be running there. It uses the settings\n' +
    'of the service (DATA_DIR, DATABASE_URL, SECRET_KEY).',
  examples: [
    { line: 'querypost restore querypost-backup-20260105T090000Z.tar.gz', does: 'into DATA_DIR (./data)' },
    { line: 'querypost restore monday.tar.gz --data-dir /srv/other', does: 'elsewhere' },
    { line: 'querypost restore monday.tar.gz --replace', does: 'in the place of what is there, which is moved aside' },
  ],
  options: {
    'data-dir': { type: 'string', value: 'folder', does: 'where to; without it, DATA_DIR' },
    replace: { type: 'boolean', does: 'move aside what is there: DATA_DIR/replaced-<time>' },
  },
  common: ['json'],
  async run(context, { operands, options }) {
    const [file, ...rest] = operands
    if (!file || rest.length > 0) {
      throw new Complaint(2, 'Say which backup: querypost restore querypost-backup-<time>.tar.gz')
    }
    if (file === '-' && context.stdin.isTTY) throw new Complaint(2, 'There is no archive on the standard input.')
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
    const what = `${sizeText(contentBytes)} in ${fileCount} files, as of ${backup.createdAt}`
    const notes = [
      `${paint.stderr.green('Restored')} ${what} (Querypost ${backup.querypostVersion}).`,
      ...(replaced ? [`What was there before is in ${replaced}.`] : []),
      ...(backup.secretKey === 'given' && !settings.secretKey
        ? ['The key is not in the archive: start the service with the SECRET_KEY of that time.']
        : []),
      'What happened since is not in it: docs/backups.md says what that means for keys, webhooks and schedules.',
    ]
    stdout.write(`${dataDirectory}\n`)
    stderr.write(`${notes.join('\n')}\n`)
    return 0
  } catch (error) {
    throw asComplaint(error, { signal, what: 'Nothing was restored.' })
  } finally {
    progress.clear()
    // It may have been refused before a byte was read.
    input.destroy()
  }
}

async function openFile(file: string) {
  try {
    return (await open(file)).createReadStream({ highWaterMark: 256 * 1024 })
  } catch (error) {
    throw new Complaint(2, `${file} cannot be read: ${(error as Error).message}`)
  }
}
