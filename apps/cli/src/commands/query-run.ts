import { type Context, defineCommand } from '../command.ts'
import { makeProgressLine } from '../progress-line.ts'
import { findQuery } from '../query/find-query.ts'
import { readWanted, resultOptions, type Wanted } from '../query/formats.ts'
import { runAndWait, type Seen } from '../query/wait-for-run.ts'
import { writeResult } from '../query/write-result.ts'
import { asComplaint, openClient } from '../service-client.ts'

export const command = defineCommand({
  usage: '<shortId | queryId>',
  description:
    'Runs a query again with the parameters of its last run, waits for the end, and shows the result. If it is ' +
    'running already, that\n' +
    'run is waited for. Interrupted, the command ends and the run goes on: it is the organization’s, and ' +
    'others may wait for it.',
  examples: [
    { line: 'querypost query run k7Rm2QwXn4', does: 'by its permalink' },
    { line: 'querypost query run k7Rm2QwXn4 --format csv > orders.csv', does: 'fresh figures for another program' },
    { line: 'querypost query run k7Rm2QwXn4 --output orders.parquet', does: 'into a file' },
    { line: 'querypost query run k7Rm2QwXn4 --no-wait --json', does: 'only start it' },
  ],
  options: {
    ...resultOptions,
    'no-wait': { type: 'boolean', default: false, does: 'start it and say which run it is; show no result' },
  },
  async run(context, { operands, options }) {
    const wanted = readWanted(context, options)
    const client = openClient(context)
    let latest: Seen | undefined
    const line = makeProgressLine(context)
    try {
      const { queryId, name } = await findQuery(client, operands, context.signal)
      if (options['no-wait']) {
        tellStarted(context, await client.queries.refresh(queryId, { signal: context.signal }), name)
        return 0
      }
      const { latestRunMetadata } = await runAndWait(context, client, {
        queryId,
        onJoined: () => context.stderr.write('It is running already; waiting for that run.\n'),
        onSeen(seen) {
          latest = seen
          line.show(progressOf(seen))
        },
      })
      line.clear()
      if (wanted.format === 'table' || wanted.output !== undefined) tellEnd(context, latestRunMetadata)
      await writeResult(context, client, { queryId, wanted, rowCount: latestRunMetadata?.rowCount ?? null })
      return 0
    } catch (error) {
      line.clear()
      if (!context.signal.aborted) throw asComplaint(error)
      tellInterrupted(context, latest, operands[0]!, wanted)
      return 1
    }
  },
})

function progressOf({ status, elapsedMs, rowsRead }: Seen): string {
  const rows = rowsRead ? `, ${rowsRead.toLocaleString('en-US')} rows read` : ''
  return `${status} ${(elapsedMs / 1000).toFixed(1)} s${rows}`
}

function tellStarted({ isJson, stdout, stderr }: Context, run: { id: string; status: string }, name: string) {
  stdout.write(isJson ? `${JSON.stringify(run)}\n` : `${run.id}\n`)
  if (!isJson) stderr.write(`Its result, once it has ended: querypost query result ${name}\n`)
}

function tellEnd({ stderr, paint }: Context, metadata: { durationMs: number | null } | null) {
  const durationMs = metadata?.durationMs ?? null
  if (durationMs !== null) stderr.write(`${paint.stderr.dim(`Completed in ${(durationMs / 1000).toFixed(1)} s.`)}\n`)
}

function tellInterrupted({ stderr }: Context, latest: Seen | undefined, given: string, { format }: Wanted) {
  if (latest === undefined || latest.status === 'completed') return
  const how = format === 'table' ? '' : ` --format ${format}`
  stderr.write(
    `The run ${latest.runId} goes on. Its result, once it has ended: querypost query result ${given}${how}\n`,
  )
}
