/** A process whose standard output is the test's subject. Told `{ lines }`, it logs that many, and answers how many it has dropped. */
import { openLog } from '../../src/ports/log.ts'
import { openStdoutWriter } from '../../src/ports/log-writer.ts'

const log = openLog({ level: 'info' })
const writer = openStdoutWriter()

process.on('message', ({ lines }: { lines: number }) => {
  for (let number = 1; number <= lines; number++) log.info({ number, padding: 'x'.repeat(1000) }, 'line')
  // Answered after the writes had their turn.
  setImmediate(() => process.send!({ droppedLines: writer.droppedLines() }))
})
