/** A process whose stdout is under test. On the message `{ lines }` it logs that many lines and replies with the number it dropped. */
import { openLog } from '../../src/ports/log.ts'
import { openStdoutWriter } from '../../src/ports/log-writer.ts'

const log = openLog({ level: 'info' })
const writer = openStdoutWriter()

process.on('message', ({ lines }: { lines: number }) => {
  for (let number = 1; number <= lines; number++) log.info({ number, padding: 'x'.repeat(1000) }, 'line')
  // Reply after the writes have been processed.
  setImmediate(() => process.send!({ droppedLines: writer.droppedLines() }))
})
