import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { NotFoundError, type Proof, type Querypost } from '@querypost/client'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { runIdsOf } from '../proof/proof-file.ts'
import { openClient, toCommandError } from '../service-client.ts'

export const command = defineCommand({
  usage: '<automation run id | chat#number>',
  description:
    'Prints the proof of an automation run’s summary, or of a message in a chat: the text, and for every figure its expression and the ' +
    'query run it was computed from. With --results, it also downloads the results of those runs that the service still has, so that ' +
    '`querypost proof check` can compute the figures again.',
  examples: [
    { line: 'querypost proof get arun_6b2m --results results > proof.json', description: 'save everything that a check needs' },
    { line: 'querypost proof get m4k2x8qdpw#4', description: 'the proof of a message in a chat' },
  ],
  options: {
    results: { type: 'string', value: 'folder', description: 'download the results to this folder' },
  },
  async run(context, { operands, options }) {
    const [given, ...rest] = operands
    if (given === undefined || rest.length > 0) throw new CommandError(2, usage)
    const client = openClient(context)
    try {
      const proof = await getProof(client, given, context.signal)
      const missing = options.results === undefined ? [] : await saveResults(context, client, { proof, folder: options.results })
      context.stdout.write(`${JSON.stringify(proof, null, context.isJson ? 0 : 2)}\n`)
      for (const { runId, why } of missing) context.stderr.write(`The result of ${runId} can’t be downloaded: ${why}\n`)
      return missing.length === 0 ? 0 : 1
    } catch (error) {
      if (context.signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})

const usage = 'Name an automation run (arun_…), or a message in a chat as <shortId>#<number>.'

async function getProof(client: Querypost, given: string, signal: AbortSignal): Promise<Proof> {
  if (/^arun_\w+$/.test(given)) return client.proofs.ofAutomationRun(given, { signal })
  const [, shortId, number] = /(?:^|\/chats\/)(\w+)#(\d+)$/.exec(given) ?? []
  if (shortId === undefined || number === undefined) throw new CommandError(2, `${JSON.stringify(given)} names no text. ${usage}`)
  return client.proofs.ofMessage(shortId, Number(number), { signal })
}

/** Resolves with the results that the service no longer has. */
async function saveResults(
  { signal }: Context,
  client: Querypost,
  { proof, folder }: { proof: Proof; folder: string },
): Promise<{ runId: string; why: string }[]> {
  const missing: { runId: string; why: string }[] = []
  await mkdir(folder, { recursive: true })
  for (const runId of runIdsOf(proof)) {
    try {
      const result = await client.proofs.result(runId, { signal })
      await writeFile(path.join(folder, `${runId}.json`), JSON.stringify(result))
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error
      missing.push({ runId, why: error.message })
    }
  }
  return missing
}
