import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Complaint, type Context, defineCommand } from '../command.ts'
import { asComplaint, readSettings, showPercents, sizeText } from './backup-words.ts'

export const command = defineCommand({
  usage: '[--output <file>]',
  description:
    'Writes a backup of the service’s state, as of one moment, into one file: its store, results, DuckDB databases\n' +
    'and generated key. The service goes on meanwhile; where none is running, the command does it by itself. It uses the\n' +
    'settings of the service (DATA_DIR, DATABASE_URL). With DATABASE_URL, the file holds what is not in PostgreSQL: back\n' +
    'that up by its own means. The file holds secrets: keep it as one.',
  examples: [
    { line: 'querypost backup', does: 'into querypost-backup-<time>.tar.gz, here' },
    { line: 'DATA_DIR=/srv/data querypost backup -o /backups/monday.tar.gz', does: 'of another folder, into a given file' },
    { line: 'querypost backup --output - | ssh backup@vault "cat > querypost.tar.gz"', does: 'to another machine' },
  ],
  options: {
    output: { type: 'string', short: 'o', value: 'file', does: 'where to write it; - for the standard output' },
  },
  common: ['json'],
  async run(context, { operands, options }) {
    if (operands.length > 0) throw new Complaint(2, `Say where to write it with --output ${operands[0]}`)
    return options.output === '-' ? toStandardOutput(context) : toFile(context, options.output)
  },
})

async function toStandardOutput(context: Context): Promise<0> {
  if (context.isJson) throw new Complaint(2, 'The archive is on the standard output: there is no place for --json.')
  if (context.stdout.isTTY) {
    throw new Complaint(2, 'The archive is not for a terminal. Pass it on, as in: querypost backup --output - > file')
  }
  const { words } = await backUpTo(context, context.stdout)
  context.stderr.write(`${words.join('\n')}\n`)
  return 0
}

/** The file appears under its name when it is whole, and is its owner's only from the first byte on. */
async function toFile(context: Context, given: string | undefined): Promise<0> {
  const { clock, isJson, stdout, stderr, paint } = context
  const startedMs = clock.monotonicMs()
  const time = clock.now().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const file = path.resolve(given ?? `querypost-backup-${time}.tar.gz`)
  if (await stat(file).catch(() => undefined)) {
    throw new Complaint(2, `${file} is there already. Give another name with --output.`)
  }
  const part = `${file}.part`
  const output = (await openNew(part)).createWriteStream({ flush: true })
  try {
    const { backedUp, words } = await backUpTo(context, output)
    await rename(part, file)
    const { size: sizeBytes } = await stat(file)
    const durationMs = Math.round(clock.monotonicMs() - startedMs)
    if (isJson) {
      const { about, fileCount, contentBytes, wasRunning, waitedMs } = backedUp
      const { kind, createdAt, querypostVersion, secretKey } = about
      const told = { file, sizeBytes, fileCount, contentBytes, durationMs, waitedMs: Math.round(waitedMs), wasRunning }
      stdout.write(`${JSON.stringify({ ...told, kind, createdAt, querypostVersion, secretKey })}\n`)
    } else {
      stdout.write(`${file}\n`)
      const size = `${sizeText(sizeBytes)} in ${(durationMs / 1000).toFixed(1)} s.`
      stderr.write(`${paint.stderr.green('Done.')} ${size} ${words.join('\n')}\n`)
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
      ? new Complaint(1, `${part} is there: another backup is being written, or was cut short. Remove it first.`)
      : new Complaint(1, `The file cannot be written: ${message}. No backup was made.`)
  }
}

async function backUpTo(context: Context, output: NodeJS.WritableStream) {
  const { environment, clock, signal } = context
  const config = await readSettings(environment)
  const [{ backUp }, { secureRandom }] = await Promise.all([
    import('@querypost/server/backup'),
    import('@querypost/server/ports'),
  ])
  const progress = showPercents(context, 'Writing')
  progress.show(`Gathering ${config.dataDirectory} …`)
  try {
    const backedUp = await backUp({
      config,
      output: output as Parameters<typeof backUp>[0]['output'],
      clock,
      random: secureRandom,
      processId: process.pid,
      signal,
      onProgress: progress.onProgress,
    })
    return { backedUp, words: notesOf(backedUp) }
  } catch (error) {
    throw asComplaint(error, { signal, what: 'No backup was made.' })
  } finally {
    progress.clear()
  }
}

function notesOf({ about, fileCount }: { about: { kind: string; secretKey: string }; fileCount: number }): string[] {
  const notes = [`${fileCount} files. It holds secrets: keep it as one.`]
  if (about.kind === 'files') {
    notes.push('It holds the files alone: what is in PostgreSQL is backed up by its own means (docs/backups.md).')
  }
  if (about.secretKey === 'given') notes.push('SECRET_KEY was given in the environment, and is not in it: keep that too.')
  return notes
}
