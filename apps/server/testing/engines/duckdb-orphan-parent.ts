/** For `orphan.test.ts`: runs one statement, prints the pid of its process, and waits to be killed. */
import { pino } from 'pino'
import { systemClock } from '../../src/ports/clock.ts'
import type { FileEngine } from '../../src/engines/registry/definitions.ts'
import { fileEngineOpeners } from '../../src/engines/registry/openers.ts'

const [kind, file, temporaryDirectory, sql, state] = process.argv.slice(2) as [FileEngine, string, string, string, string]
let pid = 0
const log = pino({ level: 'debug' }, { write: (line) => void (pid = (JSON.parse(line) as { pid: number }).pid) })
const engine = fileEngineOpeners[kind]({ file, temporaryDirectory, clock: systemClock, log })
const running = engine.run({ sql, signal: new AbortController().signal })
if (state === 'idle') for await (const _ of (await running).batches);
if (state === 'answering') await (await running).batches[Symbol.asyncIterator]().next()
while (pid === 0) await new Promise((resolve) => setImmediate(resolve))
process.stdout.write(`${pid}\n`)
// Wait on stdin, which the test keeps open.
process.stdin.resume()
