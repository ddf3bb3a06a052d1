import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { toCommandError, readSettings, showPercents, sizeText } from './backup-messages.ts'

export const command = defineCommand({
  usage: '[--output <file>]',
  description:
    'Writes a consistent backup of the service to one file: the store, results, DuckDB databases and the generated key.\n' +
    'The service may be running or stopped. Run it with the settings of the service (DATA_DIR, DATABASE_URL). With\n' +
    'DATABASE_URL, the file has only what is not in PostgreSQL; back up PostgreSQL with its own tools.\n\n' +
    'The file contains secrets. Store it safely.',
  examples: [
    { line: 'querypost backup', description: 'write querypost-backup-<time>.tar.gz to the current folder' },
    { line: 'DATA_DIR=/srv/data querypost backup -o /backups/monday.tar.gz', description: 'back up another data folder to a named file' },
    { line: 'querypost backup --output - | ssh backup@vault "cat > querypost.tar.gz"', description: 'send the backup to another machine' },
  ],
  options: {
    output: { type: 'string', short: 'o', value: 'file', description: 'the file to write; - for standard output' },
    'count-rows': { type: 'boolean', description: 'record the rows of each table, so that `backup verify` can compare them' },
  },
  common: ['json'],
  async run(context, { operands, options }) {
    if (operands.length > 0) throw new CommandError(2, `To name the file, use --output ${operands[0]}`)
    const isCountingRows = options['count-rows'] === true
    return options.output === '-' ? toStandardOutput(context, isCountingRows) : toFile(context, { file: options.output, isCountingRows })
  },
})

async function toStandardOutput(context: Context, isCountingRows: boolean): Promise<0> {
  if (context.isJson) throw new CommandError(2, '--json can’t be combined with --output -, which writes the archive to standard output.')
  if (context.stdout.isTTY) {
    throw new CommandError(2, 'The archive is binary. Redirect it: querypost backup --output - > file')
  }
  const { notes } = await backUpTo(context, context.stdout, isCountingRows)
  context.stderr.write(`${notes.join('\n')}\n`)
  return 0
}

/** Writes under a temporary name until the file is complete. Only its owner can read it, from the first byte on. */
async function toFile(context: Context, given: { file: string | undefined; isCountingRows: boolean }): Promise<0> {
  const { clock, isJson, stdout, stderr, paint } = context
  const startedMs = clock.monotonicMs()
  const time = clock.now().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const file = path.resolve(given.file ?? `querypost-backup-${time}.tar.gz`)
  if (await stat(file).catch(() => undefined)) {
    throw new CommandError(2, `${file} already exists. Choose another name with --output.`)
  }
  const part = `${file}.part`
  const output = (await openNew(part)).createWriteStream({ flush: true })
  try {
    const { backedUp, notes } = await backUpTo(context, output, given.isCountingRows)
    await rename(part, file)
    const { size: sizeBytes } = await stat(file)
    const durationMs = Math.round(clock.monotonicMs() - startedMs)
    if (isJson) {
      const { about, fileCount, contentBytes, wasRunning, waitedMs } = backedUp
      const { kind, createdAt, querypostVersion, secretKey } = about
      const facts = { file, sizeBytes, fileCount, contentBytes, durationMs, waitedMs: Math.round(waitedMs), wasRunning }
      stdout.write(`${JSON.stringify({ ...facts, kind, createdAt, querypostVersion, secretKey })}\n`)
    } else {
      stdout.write(`${file}\n`)
      const size = `${sizeText(sizeBytes)} in ${(durationMs / 1000).toFixed(1)} s.`
      stderr.write(`${paint.stderr.green('Done.')} ${size} ${notes.join('\n')}\n`)
    }
    return 0
  } catch (error) {
    output.destroy()
    await rm(part, { force: true })
    throw error
  }
}

async function openNew(part: string) {
  try {
    return await open(part, 'wx', 0o600)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === 'EEXIST'
      ? new CommandError(1, `${part} exists: another backup is running, or one was interrupted. If none is running, delete the file.`)
      : new CommandError(1, `Can’t write the file: ${message}. No backup was made.`)
  }
}

async function backUpTo(context: Context, output: NodeJS.WritableStream, isCountingRows: boolean) {
  const { environment, clock, signal } = context
  const config = await readSettings(environment)
  const [{ backUp }, { secureRandom }] = await Promise.all([
    import('@querypost/server/backup'),
    import('@querypost/server/ports'),
  ])
  const progress = showPercents(context, 'Writing')
  progress.show(`Collecting ${config.dataDirectory}…`)
  try {
    const backedUp = await backUp({
      config,
      output: output as Parameters<typeof backUp>[0]['output'],
      clock,
      random: secureRandom,
      processId: process.pid,
      signal,
      isCountingRows,
      onProgress: progress.onProgress,
    })
    return { backedUp, notes: describeBackup(backedUp) }
  } catch (error) {
    throw toCommandError(error, { signal, outcome: 'No backup was made.' })
  } finally {
    progress.clear()
  }
}

function describeBackup({ about, fileCount }: { about: { kind: string; secretKey: string }; fileCount: number }): string[] {
  const notes = [`${fileCount} files. The backup contains secrets. Store it safely.`]
  if (about.kind === 'files') {
    notes.push('It has the files only. Back up PostgreSQL with its own tools (docs/backups.md).')
  }
  if (about.secretKey === 'given') notes.push('It does not contain SECRET_KEY, which comes from the environment. Keep that key too.')
  return notes
}
