import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Drill, DrillTarget } from '@querypost/server/backup'
import type { Store } from '@querypost/server/store'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { readSettings, showPercents, sizeText, toCommandError } from './backup-messages.ts'

export const command = defineCommand({
  usage: '<file>',
  description:
    'Proves that a backup can be restored, by restoring it into a temporary folder. Every file is compared with its checksum, the\n' +
    'store is opened, every row is read, and every stored result is compared with the hash that its run recorded. If the backup was\n' +
    'made with --count-rows, the rows of each table are compared too. The service may run; it is not touched.\n\n' +
    'With --into, the store is also restored into an empty PostgreSQL database, row by row, and compared with what was backed up. The\n' +
    'tables stay there, to look at, unless you add --clean-up.\n\n' +
    'Run it with the settings of the service. `querypost doctor` then says when a backup last passed. Exit code 0: the backup is\n' +
    'good; 1: it is not.',
  examples: [
    { line: 'querypost backup verify querypost-backup-20260105T090000Z.tar.gz', description: 'verify a backup' },
    { line: 'querypost backup verify monday.tar.gz --folder /var/tmp', description: 'unpack it on another disk' },
    { line: 'querypost backup verify monday.tar.gz --into postgres://me@localhost/drill', description: 'restore it into an empty database too' },
  ],
  options: {
    folder: { type: 'string', value: 'folder', description: 'where to unpack it (default: the system’s temporary folder)' },
    into: { type: 'string', value: 'URL', description: 'an empty PostgreSQL database to restore the store into as well' },
    'clean-up': { type: 'boolean', description: 'with --into: remove the tables again' },
  },
  common: ['json'],
  async run(context, { operands, options }) {
    const [file, ...rest] = operands
    if (!file || rest.length > 0) {
      throw new CommandError(2, 'Name the backup: querypost backup verify querypost-backup-<time>.tar.gz')
    }
    if (options['clean-up'] && options.into === undefined) throw new CommandError(2, '--clean-up needs --into: there is nothing else to clean up.')
    const { folder = tmpdir(), into } = options
    if (into === undefined) return verify(context, file, { folder })
    const store = await openTarget(context, into)
    try {
      return await verify(context, file, { folder, into: { store, isCleanedUp: options['clean-up'] === true } })
    } finally {
      await store.close()
    }
  },
})

async function openTarget({ clock }: Context, url: string): Promise<Store> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CommandError(2, '--into must be the URL of a PostgreSQL database, such as postgres://me@localhost/drill')
  }
  const [{ openPostgres }, { openLog }] = await Promise.all([import('@querypost/server/store'), import('@querypost/server/log')])
  try {
    return await openPostgres({ url, maxConnections: 2, clock, log: openLog({ level: 'silent' }) })
  } catch (error) {
    const { host, pathname } = new URL(url)
    throw new CommandError(1, `Can’t connect to PostgreSQL at ${host}${pathname}: ${(error as Error).message}`)
  }
}

async function verify(context: Context, file: string, options: { folder: string; into?: DrillTarget }): Promise<0 | 1> {
  const { environment, clock, signal } = context
  const startedMs = clock.monotonicMs()
  const settings = await readSettings(environment)
  const input = await openFile(file)
  const [{ drill, noteInBackupRecord }, { secureRandom }] = await Promise.all([
    import('@querypost/server/backup'),
    import('@querypost/server/ports'),
  ])
  const progress = showPercents(context, 'Restoring')
  await mkdir(options.folder, { recursive: true })
  const folder = await mkdtemp(path.join(options.folder, 'querypost-drill-'))
  try {
    const done = await drill({
      input,
      config: { ...settings, dataDirectory: folder },
      resultLifetimeMs: settings.resultTtlHours * 3600_000,
      clock,
      random: secureRandom,
      processId: process.pid,
      signal,
      onProgress: progress.onProgress,
      ...(options.into && { into: options.into }),
    })
    progress.clear()
    if (done.faults.length === 0) {
      const verified = { at: clock.now().toISOString(), backupCreatedAt: done.backup.createdAt }
      await noteInBackupRecord(settings.dataDirectory, { verified })
    }
    report(context, done, Math.round(clock.monotonicMs() - startedMs))
    return done.faults.length === 0 ? 0 : 1
  } catch (error) {
    throw toCommandError(error, { signal, outcome: 'The backup was not verified.' })
  } finally {
    progress.clear()
    input.destroy()
    await rm(folder, { recursive: true, force: true })
  }
}

function report({ isJson, stdout, paint }: Context, done: Drill, durationMs: number): void {
  const { backup, faults, tables, ...rest } = done
  const isGood = faults.length === 0
  if (isJson) {
    stdout.write(`${JSON.stringify({ isGood, faults, ...rest, tables, ...backup, durationMs })}\n`)
    return
  }
  const verdict = isGood ? paint.stdout.green('The backup is good.') : paint.stdout.red('The backup is damaged.')
  const lines = [verdict, '', ...describeDrill(done).map((line) => `  ${line}`), ...faults.map((fault) => `  ${paint.stdout.red('→')} ${fault}`)]
  stdout.write(`${lines.join('\n')}\n`)
}

export function describeDrill({ backup, fileCount, contentBytes, tables, ...rest }: Drill): string[] {
  const files = `${fileCount} files with ${sizeText(contentBytes)}, as of ${backup.createdAt}: all checksums match.`
  if (tables === null) return [files, 'The store is in PostgreSQL and not part of this backup. Verify its own backup too.']
  const rowCount = Object.values(tables).reduce((sum, each) => sum + each.rowCount, 0)
  const compared = rest.hasRecordedRows
    ? 'compared with what was backed up.'
    : 'read. To compare them too, make backups with --count-rows.'
  return [
    files,
    `${rowCount} rows in ${Object.keys(tables).length} tables: ${compared}`,
    `${rest.resultCount} results and ${rest.keptResultCount} kept results: looked up and checked.`,
    ...(rest.isInPostgres ? ['All rows were also restored into PostgreSQL and compared there.'] : []),
  ]
}

async function openFile(file: string) {
  try {
    return (await open(file)).createReadStream({ highWaterMark: 256 * 1024 })
  } catch (error) {
    throw new CommandError(2, `Can’t read ${file}: ${(error as Error).message}`)
  }
}
