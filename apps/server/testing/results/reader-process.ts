/**
 * A separate process that reads a result slowly: it opens it, reads the first piece, and reads the rest on command.
 * Started with `{ setting, folder, archiveFolder, url, runId }`. Its clock only advances on command.
 */
import type { Readable } from 'node:stream'
import { openResults } from '../../src/process/open-results.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { openPostgres } from '../../src/store/db.ts'
import { pollPause } from '../poll-pause.ts'
import { manualClock } from '../manual-clock.ts'
import { seededRandom } from '../seeded-random.ts'
import { silentLog } from '../silent-log.ts'
import type { ResultsSetting } from '../../src/results/results-setting.ts'
import { hashOf } from './row-batches.ts'

export interface ReaderOptions {
  setting: ResultsSetting
  folder: string
  archiveFolder: string
  url: string
  runId: string
}

export type ReaderCommand = { passMs: number } | 'finish'
export type ReaderAnswer = 'opened' | 'passed' | { hash: string } | { failure: string }

const options = JSON.parse(process.argv[2]!) as ReaderOptions
const answer = (given: ReaderAnswer) => process.send!(given)
const clock = manualClock()
const store = await openPostgres({ url: options.url, clock: systemClock, log: silentLog })
const { results } = await openResults({ ...options, store, clock, random: seededRandom('reader'), log: silentLog })
const pieces = ((await results.open(options.runId))!.bytes as Readable)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
const taken = [(await pieces.next()).value as Buffer]

process.on('message', (command: ReaderCommand) => {
  void (command === 'finish' ? finish() : pass(command.passMs))
})
answer('opened')

async function pass(ms: number) {
  const waiting = clock.sleepers()
  clock.leap(ms)
  while (clock.sleepers() < waiting) await pollPause()
  answer('passed')
}

async function finish() {
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) taken.push(next.value)
    answer({ hash: hashOf(Buffer.concat(taken)) })
  } catch (error) {
    answer({ failure: (error as Error).message })
  }
  process.disconnect()
  await store.close()
}
